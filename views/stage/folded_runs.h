// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "synthesis/folded_state.h"

namespace p2::views {

/// Neighbouring rows or columns of a folded matrix that are the same, drawn as one.
struct FoldedRun {
  std::int64_t from = 0;
  std::int64_t count = 0;
  bool set = false;          ///< held, or a contributor
  std::int64_t skipped = 0;  ///< if > 0, number of runs left out here
  friend bool operator==(const FoldedRun&, const FoldedRun&) = default;
};

/// All of [0, size) in runs of members and of others of the set. Of more than `most` runs those in the middle are left
/// out.
[[nodiscard]] std::vector<FoldedRun> foldedRuns(const ChunkSet& set, std::int64_t size, std::size_t most);

/// "64–127, 192–255 and 30 more runs".
[[nodiscard]] QString runsText(const ChunkSet& set);

/// The rows that differ between two states of one device. Those less than `gap` apart are joined.
[[nodiscard]] ChunkSet changedRuns(const FoldedState& before, const FoldedState& after, double gap);

}  // namespace p2::views
