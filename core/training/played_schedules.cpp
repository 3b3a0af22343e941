// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/played_schedules.h"

#include <algorithm>
#include <array>
#include <bit>

namespace p2::inline training {
namespace {

template <class T>
void addBytes(std::string& key, const T& value) {
  const auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  key.append(bytes.data(), bytes.size());
}

}  // namespace

/// The bytes of all numbers. Most chunks of most stages take as long as others: their work is written once, and by a
/// number after that.
const std::string& PlayedSchedules::keyOf(ScheduleKind kind, const std::vector<std::vector<StageWork>>& work,
                                          std::int64_t microbatches) {
  m_key.clear();
  m_different.clear();
  addBytes(m_key, static_cast<std::int64_t>(kind));
  addBytes(m_key, microbatches);
  addBytes(m_key, static_cast<std::int64_t>(work.size()));
  for (const std::vector<StageWork>& stage : work) {
    for (const StageWork& chunk : stage) {
      const auto same = std::find(m_different.rbegin(), m_different.rend(), chunk);
      const auto number = static_cast<std::uint16_t>(m_different.rend() - same);
      addBytes(m_key, number);
      if (number > 0) continue;
      m_different.push_back(chunk);
      addBytes(m_key, chunk);
    }
  }
  return m_key;
}

const std::vector<std::vector<PipelinePass>>& PlayedSchedules::published(ScheduleKind kind, std::int64_t stages,
                                                                         std::int64_t chunks,
                                                                         std::int64_t microbatches) {
  const Published wanted{kind, stages, chunks, microbatches};
  if (m_published == wanted) return m_orders;
  m_published = wanted;
  m_orders = publishedOrders(kind, stages, chunks, microbatches);
  return m_orders;
}

}  // namespace p2::inline training
