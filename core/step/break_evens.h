// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "step/step_ranking.h"

namespace p2::inline step {

/// Entries of a workload that grow together.
struct EntryGroup {
  std::string name;                  ///< "data, context": their axes, or the name of a single entry
  std::vector<std::size_t> entries;  ///< by number, ascending
};

/// A ratio of the bytes of two groups of entries at which another placement becomes the better one.
struct BreakEven {
  double ratio = 0;      ///< bytes of the second group over bytes of the first, see bytesOf()
  double times = 0;      ///< ratio over the workload's own ratio
  std::size_t from = 0;  ///< of StepRanking::placements, the best below the ratio
  std::size_t to = 0;    ///< the best above it
};

/// The best placement for every ratio of two groups of entries; all other entries are ignored.
struct BreakEvens {
  EntryGroup first;
  EntryGroup second;
  double ratio = 0;       ///< the workload's own ratio
  std::size_t least = 0;  ///< of StepRanking::placements, the best where there is next to nothing of the second group
  std::vector<BreakEven> points;  ///< by ratio

  /// Index in StepRanking::placements of the best at the workload's own ratio: not the first if other entries or
  /// overlap decide.
  [[nodiscard]] std::size_t here() const;
};

/// Bytes of all runs of an entry in a step, as AllReduce equivalents: collectives that send them once count half.
[[nodiscard]] double bytesOf(const WorkloadEntry& entry);

/// The entries of a ranking by the axes over which they go, the group with the most bytes first.
[[nodiscard]] std::vector<EntryGroup> groupsByAxes(const StepRanking& ranking);

/// The lower envelope over the ratio: exact under every model if the second group happens more often, under a model
/// without latencies also if its tensors are larger. All seconds count, exposed or not. O(placements · entries +
/// placements · break-evens).
[[nodiscard]] BreakEvens breakEvens(const StepRanking& ranking, EntryGroup first, EntryGroup second);
/// Of two entries.
[[nodiscard]] BreakEvens breakEvens(const StepRanking& ranking, std::size_t first, std::size_t second);
/// Break-evens of the two largest groupsByAxes(), in the order of the axes; empty if all entries use the same axes.
[[nodiscard]] std::optional<BreakEvens> breakEvens(const StepRanking& ranking);

}  // namespace p2::inline step
