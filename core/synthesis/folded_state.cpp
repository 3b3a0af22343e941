// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/folded_state.h"

#include <algorithm>

namespace p2::inline synthesis {
namespace {

bool contains(LevelSet levels, std::size_t index) { return (levels >> index & 1) != 0; }

/// All members that agree with the given digits outside the levels summed over.
ChunkSet contributorsOf(LevelSet summed, const std::vector<std::int64_t>& sizes,
                        const std::vector<std::int64_t>& digits) {
  ChunkSet below{{0, 1}};
  std::int64_t block = 1;
  for (std::size_t level = sizes.size(); level-- > 0;) {
    ChunkSet here;
    const bool all = contains(summed, level);
    for (std::int64_t digit = all ? 0 : digits[level]; digit < (all ? sizes[level] : digits[level] + 1); ++digit) {
      for (const ChunkRange& range : below) {
        const ChunkRange shifted{digit * block + range.from, digit * block + range.to};
        if (!here.empty() && here.back().to == shifted.from) {
          here.back().to = shifted.to;
        } else {
          here.push_back(shifted);
        }
      }
    }
    below = std::move(here);
    block *= sizes[level];
  }
  return below;
}

std::vector<std::int64_t> digitsOf(MemberId member, const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> digits(sizes.size());
  std::int64_t rest = member.value();
  for (std::size_t level = sizes.size(); level-- > 0; rest /= sizes[level]) digits[level] = rest % sizes[level];
  return digits;
}

}  // namespace

ChunkSet foldedRows(const CompactState& state, const std::vector<std::int64_t>& sizes, MemberId member) {
  return chunksOf(state.classes[classOf(member, sizes)], sizes, digitsOf(member, sizes));
}

ChunkSet foldedColumns(const CompactState& state, const std::vector<std::int64_t>& sizes, MemberId member) {
  const ClassState& own = state.classes[classOf(member, sizes)];
  return own.present ? contributorsOf(own.summed, sizes, digitsOf(member, sizes)) : ChunkSet{};
}

FoldedState foldedState(const CompactState& state, const std::vector<std::int64_t>& sizes, MemberId member) {
  const std::int64_t all = productOver(static_cast<LevelSet>((1u << sizes.size()) - 1), sizes);
  return {all, foldedRows(state, sizes, member), foldedColumns(state, sizes, member)};
}

std::int64_t mostRuns(const ClassState& state, const std::vector<std::int64_t>& sizes) {
  std::int64_t rows = 1;
  for (std::size_t i = 0; i < state.splitCount; ++i) {
    const ClassState::Split& split = state.splits[i];
    if (split.gatheredAfter != 0) rows *= sizes[static_cast<std::size_t>(split.level) - 1];
  }
  // Levels summed below the last one that is not join into one run.
  std::int64_t columns = 1;
  std::int64_t pending = 1;
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    if (contains(state.summed, level)) {
      pending *= sizes[level];
    } else {
      columns *= pending;
      pending = 1;
    }
  }
  return std::max(rows, columns);
}

}  // namespace p2::inline synthesis
