// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QXmlStreamReader>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace p2::test {

/// Runs an MSCCL algorithm on integers, from its XML alone: connections hold few messages, a step that receives and
/// sends waits for both, threadblocks run in any order. Faults are sentences.
class MscclMachine {
 public:
  using Buffer = std::vector<std::uint64_t>;
  using Buffers = std::map<char, Buffer>;  // i, o, s

  bool load(const QByteArray& text) {
    QXmlStreamReader xml(text);
    while (!xml.atEnd()) {
      if (xml.readNext() != QXmlStreamReader::StartElement) continue;
      const auto number = [&](const char* name) {
        bool ok = false;
        const qlonglong value = xml.attributes().value(QLatin1String(name)).toLongLong(&ok);
        if (!ok) fault = "no number " + std::string(name);
        return value;
      };
      const auto word = [&](const char* name) {
        return xml.attributes().value(QLatin1String(name)).toString().toStdString();
      };
      if (xml.name() == QLatin1String("algo")) {
        ranks = static_cast<std::size_t>(number("ngpus"));
        chunks = static_cast<std::size_t>(number("nchunksperloop"));
        channels = number("nchannels");
        collective = word("coll");
        inPlace = number("inplace") == 1;
      } else if (xml.name() == QLatin1String("gpu")) {
        if (number("id") != qlonglong(m_gpus.size())) fault = "ranks out of order";
        m_gpus.push_back({});
        m_sizes.push_back({{'i', number("i_chunks")}, {'o', number("o_chunks")}, {'s', number("s_chunks")}});
      } else if (xml.name() == QLatin1String("tb")) {
        if (number("id") != qlonglong(m_gpus.back().size())) fault = "threadblocks out of order";
        m_gpus.back().push_back({number("send"), number("recv"), number("chan"), {}, 0});
      } else if (xml.name() == QLatin1String("step")) {
        if (number("s") != qlonglong(m_gpus.back().back().steps.size())) fault = "steps out of order";
        m_gpus.back().back().steps.push_back({word("type"), word("srcbuf").at(0), number("srcoff"),
                                              word("dstbuf").at(0), number("dstoff"), number("cnt"), number("depid"),
                                              number("deps"), number("hasdep") == 1});
      } else {
        fault = "an element MSCCL does not know";
      }
    }
    if (xml.hasError()) fault = xml.errorString().toStdString();
    checkShape();
    return fault.empty();
  }

  /// Whether all steps could be done. Threadblocks take turns as the seed says.
  bool run(std::vector<Buffers>& memory, unsigned seed, std::size_t capacity) {
    std::mt19937 dice(seed);
    std::vector<std::pair<std::size_t, std::size_t>> blocks;
    m_wires.clear();
    for (std::size_t gpu = 0; gpu < m_gpus.size(); ++gpu) {
      for (std::size_t block = 0; block < m_gpus[gpu].size(); ++block) {
        m_gpus[gpu][block].done = 0;
        blocks.push_back({gpu, block});
      }
    }
    for (bool moved = true; moved;) {
      moved = false;
      std::shuffle(blocks.begin(), blocks.end(), dice);
      for (const auto& [gpu, block] : blocks) {
        // A threadblock may run ahead of the others for a while.
        for (unsigned n = dice() % 4 + 1; n > 0 && advance(gpu, block, memory[gpu], capacity); --n) moved = true;
      }
    }
    for (const auto& [gpu, block] : blocks) {
      if (m_gpus[gpu][block].done < m_gpus[gpu][block].steps.size())
        return stop("rank " + std::to_string(gpu) + " waits for ever");
    }
    for (const auto& [wire, messages] : m_wires) {
      if (!messages.empty()) return stop("something sent was never received");
    }
    return fault.empty();
  }

  [[nodiscard]] std::size_t sizeOf(std::size_t rank, char buffer) const {
    return std::size_t(m_sizes[rank].at(buffer));
  }

  [[nodiscard]] std::size_t longestBlock() const {
    std::size_t most = 0;
    for (const auto& gpu : m_gpus) {
      for (const Block& block : gpu) most = std::max(most, block.steps.size());
    }
    return most;
  }

  std::size_t ranks = 0;
  std::size_t chunks = 0;
  qlonglong channels = 0;
  std::string collective;
  bool inPlace = false;
  std::string fault;

 private:
  struct Step {
    std::string type;
    char from;
    qlonglong fromOffset;
    char to;
    qlonglong toOffset;
    qlonglong count;
    qlonglong block;
    qlonglong step;
    bool awaited;
  };
  struct Block {
    qlonglong send;
    qlonglong receive;
    qlonglong channel;
    std::vector<Step> steps;
    std::size_t done;
  };
  using Wire = std::tuple<qlonglong, qlonglong, qlonglong>;  // from, to, channel

  bool stop(const std::string& sentence) {
    if (fault.empty()) fault = sentence;
    return false;
  }

  /// One threadblock at either end of a wire, and dependences on steps that say so.
  void checkShape() {
    std::map<Wire, int> senders;
    std::map<Wire, int> receivers;
    if (m_gpus.size() != ranks) stop("not as many ranks as it says");
    for (std::size_t gpu = 0; gpu < m_gpus.size(); ++gpu) {
      for (const Block& block : m_gpus[gpu]) {
        const auto self = qlonglong(gpu);
        if (block.channel < 0 || block.channel >= channels) stop("no such channel");
        if (block.send == self || block.receive == self) stop("a rank sends to itself");
        if (block.send >= 0 && ++senders[{self, block.send, block.channel}] > 1)
          stop("two threadblocks send on one wire");
        if (block.receive >= 0 && ++receivers[{block.receive, self, block.channel}] > 1)
          stop("two receive on one wire");
        for (const Step& step : block.steps) {
          if (step.block < 0) continue;
          if (step.block >= qlonglong(m_gpus[gpu].size())) {
            stop("waits for a threadblock that is not there");
            continue;
          }
          const Block& other = m_gpus[gpu][std::size_t(step.block)];
          if (step.step < 0 || step.step >= qlonglong(other.steps.size()) ||
              !other.steps[std::size_t(step.step)].awaited) {
            stop("waits for a step that does not say so");
          }
        }
        // The runtime lets steps that only wait stand before one that waits as well.
        for (std::size_t i = 0; i < block.steps.size(); ++i) {
          if (block.steps[i].type == "nop" && (i + 1 == block.steps.size() || block.steps[i + 1].block < 0)) {
            stop("a nop before a step that does not wait");
          }
        }
      }
    }
    for (const auto& [wire, count] : senders) {
      if (!receivers.contains(wire)) stop("nobody receives on a wire");
    }
  }

  bool inside(std::size_t gpu, char buffer, qlonglong offset, qlonglong count) {
    return (offset >= 0 && count > 0 && count < 72 && offset + count <= m_sizes[gpu].at(buffer)) ||
           stop("chunks outside the buffer, or too many at once");
  }

  bool advance(std::size_t gpu, std::size_t index, Buffers& memory, std::size_t capacity) {
    Block& block = m_gpus[gpu][index];
    if (block.done == block.steps.size() || !fault.empty()) return false;
    const Step& step = block.steps[block.done];
    if (step.block >= 0 && m_gpus[gpu][std::size_t(step.block)].done <= std::size_t(step.step)) return false;
    const std::string& type = step.type;
    const bool receives = type == "r" || type == "rcs" || type == "rrs" || type == "rrc" || type == "rrcs";
    const bool sends = type == "s" || type == "rcs" || type == "rrs" || type == "rrcs";
    const bool reduces = type == "rrs" || type == "rrc" || type == "rrcs" || type == "re";
    const bool copies =
        type == "r" || type == "rcs" || type == "rrc" || type == "rrcs" || type == "cpy" || type == "re";
    if (!receives && !sends && type != "nop" && type != "cpy" && type != "re") return stop("no such type: " + type);
    auto& incoming = m_wires[{block.receive, qlonglong(gpu), block.channel}];
    auto& outgoing = m_wires[{qlonglong(gpu), block.send, block.channel}];
    if ((receives && block.receive < 0) || (sends && block.send < 0)) return stop("a step without a peer");
    if (receives && incoming.empty()) return false;
    if (sends && outgoing.size() >= capacity) return false;
    Buffer data(std::size_t(step.count), 0);
    if (receives) {
      if (incoming.front().size() != data.size()) return stop("a message of another size");
      data = incoming.front();
      incoming.pop_front();
    }
    if (reduces || type == "s" || type == "cpy") {
      if (!inside(gpu, step.from, step.fromOffset, step.count)) return false;
      for (std::size_t i = 0; i < data.size(); ++i) data[i] += memory[step.from][std::size_t(step.fromOffset) + i];
    }
    if (type == "re") {
      for (std::size_t i = 0; i < data.size(); ++i) data[i] += memory[step.to][std::size_t(step.toOffset) + i];
    }
    if (copies) {
      if (!inside(gpu, step.to, step.toOffset, step.count)) return false;
      std::copy(data.begin(), data.end(), memory[step.to].begin() + step.toOffset);
    }
    if (sends) outgoing.push_back(data);
    ++block.done;
    return true;
  }

  std::vector<std::vector<Block>> m_gpus;
  std::vector<std::map<char, qlonglong>> m_sizes;
  std::map<Wire, std::deque<Buffer>> m_wires;
};

}  // namespace p2::test
