// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace p2::inline synthesis {

/// Chunks [from, to).
struct ChunkRange {
  std::int64_t from = 0;
  std::int64_t to = 0;
  friend auto operator<=>(const ChunkRange&, const ChunkRange&) = default;
};

/// Disjoint ranges in ascending order, none touching the next.
using ChunkSet = std::vector<ChunkRange>;

/// Number of chunks in the set.
[[nodiscard]] std::int64_t countOf(const ChunkSet& set);
/// The set of all chunks in some ranges, which may overlap and come in any order. O(ranges · log ranges).
[[nodiscard]] ChunkSet merged(ChunkSet ranges);
/// Chunks in both sets.
[[nodiscard]] ChunkSet commonOf(const ChunkSet& a, const ChunkSet& b);
/// Chunks in `a` and not in `b`.
[[nodiscard]] ChunkSet withoutOf(const ChunkSet& a, const ChunkSet& b);
/// The set in `count` parts of equally many chunks, in ascending order; `count` divides its size.
/// O(ranges + count).
[[nodiscard]] std::vector<ChunkSet> scatteredSets(const ChunkSet& set, std::int64_t count);

/// "0-3,8": single chunks and ranges, both ends included; empty for the empty set.
[[nodiscard]] std::string chunkText(const ChunkSet& set);
/// Reads chunkText() back. Errors: anything else, ranges that do not ascend or that touch, chunks from `chunks` on.
[[nodiscard]] Result<ChunkSet> chunksFromText(std::string_view text, std::int64_t chunks);

}  // namespace p2::inline synthesis
