// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace p2::test {

/// Carries a plan file out as somebody would who has nothing but the file and its schema: plain buffers of integers,
/// library-like collectives on them, nothing of ours.
class FileExecution {
 public:
  explicit FileExecution(const std::string& text) : m_plan(nlohmann::json::parse(text)) {
    const nlohmann::json& vector = m_plan["vector"];
    m_chunks = vector["chunks"].get<long>();
    m_chunk = vector["chunk_elements"].get<long>();
    m_elements = vector["elements"].get<long>();
    for (const nlohmann::json& group : m_plan["reduction_groups"]) {
      for (const nlohmann::json& device : group) m_groupOf[device.get<int>()] = group.get<std::vector<int>>();
    }
    for (const auto& [device, group] : m_groupOf) {
      for (long i = 0; i < m_chunks * m_chunk; ++i) m_buffers[device].push_back(valueOf(device, i));
    }
  }

  void run() {
    for (const nlohmann::json& step : m_plan["lowered"]) {
      for (const nlohmann::json& group : step["groups"]) run(step["collective"], group);
    }
  }

  /// Elements that are not the sum over the device's reduction group.
  [[nodiscard]] long wrongElements() const {
    long wrong = 0;
    for (const auto& [device, buffer] : m_buffers) {
      if (long(buffer.size()) != m_chunks * m_chunk) return m_elements;
      for (long i = 0; i < m_elements; ++i) {
        long sum = 0;
        for (const int member : m_groupOf.at(device)) sum += valueOf(member, i);
        wrong += buffer[std::size_t(i)] == sum ? 0 : 1;
      }
    }
    return wrong;
  }

 private:
  using Buffer = std::vector<long>;

  static long valueOf(int device, long element) { return (device + 1) * 1000003L + element * element * 7919L; }

  /// "0-3,8" as numbers, of one member.
  static std::vector<long> chunksOf(const nlohmann::json& held, std::size_t member) {
    std::vector<long> chunks;
    std::stringstream items((held.is_array() ? held[member] : held).get<std::string>());
    for (std::string item; std::getline(items, item, ',');) {
      const std::size_t dash = item.find('-');
      const long first = std::stol(item);
      const long last = dash == std::string::npos ? first : std::stol(item.substr(dash + 1));
      for (long chunk = first; chunk <= last; ++chunk) chunks.push_back(chunk);
    }
    return chunks;
  }

  void run(const std::string& collective, const nlohmann::json& group) {
    const auto devices = group["devices"].get<std::vector<int>>();
    Buffer sum(m_buffers[devices[0]].size(), 0);
    for (const int device : devices) {
      for (std::size_t i = 0; i < sum.size() && i < m_buffers[device].size(); ++i) sum[i] += m_buffers[device][i];
    }
    const Buffer root = m_buffers[devices[0]];
    const Buffer gathered = collective == "AllGather" ? gather(devices, group) : Buffer();
    const std::size_t share = sum.size() / devices.size();
    for (std::size_t i = 0; i < devices.size(); ++i) {
      Buffer& own = m_buffers[devices[i]];
      if (collective == "AllReduce") own = sum;
      if (collective == "ReduceScatter")
        own = Buffer(sum.begin() + long(i * share), sum.begin() + long((i + 1) * share));
      if (collective == "AllGather") own = gathered;
      if (collective == "Reduce") own = i == 0 ? sum : Buffer();
      if (collective == "Broadcast") own = root;
      QCOMPARE(long(own.size()), long(chunksOf(group["chunks_after"], i).size()) * m_chunk);
    }
  }

  Buffer gather(const std::vector<int>& devices, const nlohmann::json& group) {
    std::map<long, Buffer> pieces;
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const Buffer& own = m_buffers[devices[i]];
      long at = 0;
      for (const long chunk : chunksOf(group["chunks_before"], i)) {
        pieces[chunk] = Buffer(own.begin() + at, own.begin() + at + m_chunk);
        at += m_chunk;
      }
    }
    Buffer all;
    for (const auto& [chunk, piece] : pieces) all.insert(all.end(), piece.begin(), piece.end());
    return all;
  }

  nlohmann::json m_plan;
  long m_chunks = 0;
  long m_chunk = 0;
  long m_elements = 0;
  std::map<int, std::vector<int>> m_groupOf;
  std::map<int, Buffer> m_buffers;
};

}  // namespace p2::test
