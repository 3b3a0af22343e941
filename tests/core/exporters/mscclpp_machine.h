// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace p2::test {

/// Runs an execution plan of MSCCL++ on integers, from its JSON alone: ranks in any order, signals counted by pair and
/// kind of channel. Stricter than the library: data that was put may arrive as late as its signal allows, and threads
/// have to meet (nop) between moving data and a signal, and between a wait and what it protects. Faults are sentences.
class MscclppMachine {
 public:
  using Buffer = std::vector<std::uint64_t>;
  static constexpr int kMostOperations = 64;
  static constexpr int kMostChannels = 16;
  static constexpr int kMostPieces = 8;

  bool load(const QByteArray& text) {
    const QJsonObject plan = QJsonDocument::fromJson(text).object();
    gpus = plan["gpus"].toArray();
    collective = plan["collective"].toString();
    const bool known = collective == "allreduce" || collective == "allgather" || collective == "reducescatter";
    if (!known || plan["protocol"] != "Simple" || !plan["inplace"].toBool() || gpus.isEmpty()) fault = "another plan";
    chunks = std::max(gpus.at(0)["input_chunks"].toInt(), gpus.at(0)["output_chunks"].toInt());
    for (int rank = 0; rank < gpus.size(); ++rank) checkRank(rank);
    return fault.empty();
  }

  /// Runs the plan so many times on the same buffers, as ranks that start the next run while others are still in one.
  bool run(std::vector<Buffer>& memory, unsigned seed, int times) {
    m_dice.seed(seed);
    m_memory = &memory;
    m_signals.clear();
    m_waiting.clear();
    m_scratch.assign(std::size_t(gpus.size()), Buffer());
    for (int rank = 0; rank < gpus.size(); ++rank)
      m_scratch[std::size_t(rank)].assign(std::size_t(gpus.at(rank)["scratch_chunks"].toInt()), 0xdead);
    std::vector<int> done(std::size_t(gpus.size()), 0);
    for (bool moved = true; moved && fault.empty();) {
      moved = false;
      for (std::size_t turn = 0; turn < 4 * done.size(); ++turn) {
        const int rank = int(m_dice() % done.size());
        for (auto ahead = m_dice() % 5 + 1; ahead > 0 && advance(rank, done[std::size_t(rank)], times); --ahead)
          moved = true;
      }
      for (int rank = 0; rank < gpus.size(); ++rank) moved = advance(rank, done[std::size_t(rank)], times) || moved;
    }
    for (int rank = 0; rank < gpus.size(); ++rank) {
      if (done[std::size_t(rank)] < times * int(operations(rank).size()))
        return stop("rank " + std::to_string(rank) + " waits for ever");
    }
    for (const auto& [channel, count] : m_signals) {
      if (count != 0) return stop("a signal was never awaited");
    }
    return fault.empty();
  }

  QJsonArray gpus;
  QString collective;
  int chunks = 0;  ///< of the whole vector
  std::string fault;

 private:
  struct Write {
    Buffer* to;
    std::size_t at;
    Buffer data;
    int receiver;
  };

  bool stop(const std::string& sentence) {
    if (fault.empty()) fault = sentence;
    return false;
  }

  [[nodiscard]] QJsonArray operations(int rank) const {
    return gpus.at(rank)["threadblocks"].toArray().at(0)["ops"].toArray();
  }

  [[nodiscard]] QJsonArray listOf(int rank, const char* list, const char* kindKey, const QString& kind,
                                  const char* key) const {
    const QJsonValue owner = QLatin1String(list) == QLatin1String("remote_buffer_refs")
                                 ? gpus.at(rank)["threadblocks"].toArray().at(0).toObject()
                                 : gpus.at(rank).toObject();
    for (const QJsonValue& each : owner[QLatin1String(list)].toArray()) {
      if (each[QLatin1String(kindKey)].toString() == kind) return each[QLatin1String(key)].toArray();
    }
    return {};
  }

  [[nodiscard]] int peerOf(int rank, const QString& kind, int channel) const {
    return listOf(rank, "channels", "channel_type", kind, "connected_to").at(channel).toInt(-1);
  }

  void checkRank(int rank) {
    const QJsonValue gpu = gpus.at(rank);
    const int part = chunks / int(gpus.size());
    if (chunks % int(gpus.size()) != 0 && collective != "allreduce") stop("parts of several sizes");
    if (gpu["id"].toInt(-1) != rank || gpu["input_chunks"].toInt() != (collective == "allgather" ? part : chunks) ||
        gpu["output_chunks"].toInt() != (collective == "reducescatter" ? part : chunks) ||
        gpu["threadblocks"].toArray().size() != 1) {
      stop("ranks are not alike");
    }
    if (operations(rank).size() > kMostOperations) stop("too many operations");
    bool moved = false;   // since threads met
    bool waited = false;  // since threads met
    for (const QJsonValue& operation : operations(rank)) {
      const QString name = operation["name"].toString();
      if (name == "nop") {
        moved = waited = false;
      } else if (name == "signal") {
        if (moved) stop("a signal before all threads have put their data");
      } else if (name == "wait") {
        waited = true;
      } else {
        if (waited) stop("data is moved before all threads know of the signal");
        moved = true;
      }
      if (operation["channel_ids"].toArray().size() > kMostPieces ||
          operation["dst_buff"].toArray().size() > kMostPieces)
        stop("too many pieces");
    }
    for (const char* kind : {"memory", "port"}) {
      const QJsonArray peers = listOf(rank, "channels", "channel_type", kind, "connected_to");
      if (peers.size() > kMostChannels) stop("too many channels");
      for (const QJsonValue& peer : peers) {
        if (!listOf(peer.toInt(), "channels", "channel_type", kind, "connected_to").contains(rank))
          stop("a channel with one end");
      }
    }
  }

  Buffer* bufferOf(int rank, const QString& type) {
    // In place: the whole vector is the output of a gather, the input of everything else.
    if (type == (collective == "allgather" ? "o" : "i")) return &(*m_memory)[std::size_t(rank)];
    if (type == "s") return &m_scratch[std::size_t(rank)];
    stop("no such buffer");
    return nullptr;
  }

  /// The buffer of a piece, and the rank that has it; checks its bounds.
  std::pair<Buffer*, int> place(int rank, const QJsonValue& piece, const QString& kind) {
    int owner = rank;
    QString type = piece["type"].toString();
    if (piece["buffer_id"].isDouble()) {
      const int id = listOf(rank, "remote_buffer_refs", "access_channel_type", kind, "remote_buffer_ids")
                         .at(piece["buffer_id"].toInt())
                         .toInt(-1);
      const QJsonValue remote = gpus.at(rank)["remote_buffers"].toArray().at(id);
      if (!remote["access_channel_types"].toArray().contains(kind)) stop("a buffer over another channel");
      owner = remote["rank"].toInt(-1);
      type = remote["type"].toString();
    }
    if (owner < 0 || owner >= gpus.size()) return {nullptr, -1};
    Buffer* buffer = bufferOf(owner, type);
    const int from = piece["index"].toInt(-1);
    const int size = piece["size"].toInt();
    if (buffer == nullptr || from < 0 || size < 1 || std::size_t(from + size) > buffer->size()) {
      stop("chunks outside of the buffer");
      return {nullptr, owner};
    }
    return {buffer, owner};
  }

  void deliver(int sender, int receiver) {
    auto& writes = m_waiting[{sender, receiver}];
    for (const Write& write : writes)
      std::copy(write.data.begin(), write.data.end(), write.to->begin() + std::ptrdiff_t(write.at));
    writes.clear();
  }

  bool advance(int rank, int& done, int times) {
    const QJsonArray all = operations(rank);
    if (!fault.empty() || done >= times * int(all.size())) return false;
    const QJsonValue operation = all.at(done % int(all.size()));
    const QString name = operation["name"].toString();
    const QString kind = operation["channel_type"].toString();
    const QJsonArray channels = operation["channel_ids"].toArray();
    if (name == "wait") {
      for (const QJsonValue& channel : channels) {
        if (m_signals[{peerOf(rank, kind, channel.toInt()), rank, kind}] == 0) return false;
      }
      for (const QJsonValue& channel : channels) --m_signals[{peerOf(rank, kind, channel.toInt()), rank, kind}];
    } else if (name == "put" || name == "pwsf") {
      put(rank, operation, kind);
    } else if (name == "re") {
      reduce(rank, operation);
    } else if (name != "signal" && name != "nop") {
      return stop("no such operation: " + name.toStdString());
    }
    if (name == "signal" || name == "pwsf") {
      for (const QJsonValue& channel : channels) {
        const int peer = peerOf(rank, kind, channel.toInt());
        deliver(rank, peer);
        ++m_signals[{rank, peer, kind}];
      }
    }
    ++done;
    return true;
  }

  void put(int rank, const QJsonValue& operation, const QString& kind) {
    const QJsonArray from = operation["src_buff"].toArray();
    const QJsonArray to = operation["dst_buff"].toArray();
    if (from.size() != to.size() || from.isEmpty()) stop("pieces without an end");
    for (int i = 0; i < from.size() && fault.empty(); ++i) {
      if (from.at(i)["size"] != to.at(i)["size"] || from.at(i)["size"] != from.at(0)["size"])
        stop("pieces of several sizes");
      const auto source = place(rank, from.at(i), kind);
      const auto target = place(rank, to.at(i), kind);
      if (!fault.empty()) return;
      const auto begin = source.first->begin() + from.at(i)["index"].toInt();
      m_waiting[{rank, target.second}].push_back({target.first, std::size_t(to.at(i)["index"].toInt()),
                                                  Buffer(begin, begin + from.at(i)["size"].toInt()), target.second});
      // Memory may be written at once, or no later than the signal.
      if (m_dice() % 2 == 0) deliver(rank, target.second);
    }
  }

  void reduce(int rank, const QJsonValue& operation) {
    const QJsonArray from = operation["src_buff"].toArray();
    const auto target = place(rank, operation["dst_buff"].toArray().at(0), {});
    if (!fault.empty()) return;
    const int size = from.at(0)["size"].toInt();
    Buffer sum(std::size_t(size), 0);
    for (const QJsonValue& piece : from) {
      const auto source = place(rank, piece, {});
      if (!fault.empty() || piece["size"].toInt() != size) return void(stop("pieces of several sizes"));
      for (int i = 0; i < size; ++i) sum[std::size_t(i)] += (*source.first)[std::size_t(piece["index"].toInt() + i)];
    }
    std::copy(sum.begin(), sum.end(), target.first->begin() + operation["dst_buff"].toArray().at(0)["index"].toInt());
  }

  std::mt19937 m_dice;
  std::vector<Buffer>* m_memory = nullptr;
  std::vector<Buffer> m_scratch;
  std::map<std::tuple<int, int, QString>, int> m_signals;
  std::map<std::pair<int, int>, std::vector<Write>> m_waiting;
};

}  // namespace p2::test
