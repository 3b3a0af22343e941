// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/detail/chunk_selection.h"

#include <algorithm>

namespace p2::inline synthesis {
namespace {

/// The i-th of n equal parts of the set in ascending order.
ChunkSet part(const ChunkSet& set, std::int64_t i, std::int64_t n) {
  std::int64_t total = 0;
  for (const ChunkRange& range : set) total += range.to - range.from;
  const std::int64_t first = total / n * i;
  const std::int64_t last = first + total / n;
  ChunkSet result;
  std::int64_t before = 0;
  for (const ChunkRange& range : set) {
    const std::int64_t from = std::max(first - before, std::int64_t{0});
    const std::int64_t to = std::min(last - before, range.to - range.from);
    if (from < to) result.push_back({range.from + from, range.from + to});
    before += range.to - range.from;
  }
  return result;
}

/// Evaluates a class's splits segment by segment: splits the result of the earlier segments, then unites over the
/// digits of the levels gathered after this segment.
class Evaluation {
 public:
  Evaluation(const ClassState& state, const std::vector<std::int64_t>& sizes, std::vector<std::int64_t> digits)
      : m_state(state), m_sizes(sizes), m_digits(std::move(digits)) {}

  ChunkSet afterSegment(int segment) {
    if (segment == 0) {
      std::int64_t k = 1;
      for (const std::int64_t size : m_sizes) k *= size;
      return {{0, k}};
    }
    std::vector<int> gathered;
    for (const ClassState::Split& split : m_state.splits) {
      if (split.gatheredAfter == segment) gathered.push_back(split.level);
    }
    return merged(unionOver(gathered, 0, segment));
  }

 private:
  ChunkSet unionOver(const std::vector<int>& levels, std::size_t at, int segment) {
    if (at == levels.size()) return cut(segment);
    const std::size_t level = static_cast<std::size_t>(levels[at]) - 1;
    const std::int64_t own = m_digits[level];
    ChunkSet all;
    for (m_digits[level] = 0; m_digits[level] < m_sizes[level]; ++m_digits[level]) {
      const ChunkSet some = unionOver(levels, at + 1, segment);
      all.insert(all.end(), some.begin(), some.end());
    }
    m_digits[level] = own;
    return all;
  }

  ChunkSet cut(int segment) {
    ChunkSet set = afterSegment(segment - 1);
    int current = 0;
    for (std::size_t i = 0; i < m_state.splitCount; ++i) {
      const ClassState::Split& split = m_state.splits[i];
      if (i == 0 || split.barrier) ++current;
      if (current != segment) continue;
      const std::size_t level = static_cast<std::size_t>(split.level) - 1;
      set = part(set, m_digits[level], m_sizes[level]);
    }
    return set;
  }

  const ClassState& m_state;
  const std::vector<std::int64_t>& m_sizes;
  std::vector<std::int64_t> m_digits;
};

}  // namespace

ChunkSet chunksOf(const ClassState& state, const std::vector<std::int64_t>& sizes,
                  const std::vector<std::int64_t>& digits) {
  if (!state.present) return {};
  return Evaluation(state, sizes, digits).afterSegment(state.segmentCount());
}

}  // namespace p2::inline synthesis
