// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explore/sweep.h"

namespace p2::inline explore {

/// The best program of one placement at one value.
struct SweepCell {
  SweepChoice best;        ///< as exploreWorkspace() finds it for this placement and value
  double gain = 1;         ///< how many times faster it is than the goal's one collective over the whole group
  std::size_t winner = 0;  ///< index into SweepMap::winners
};

/// Placements against values: a row per placement, with its best program in every cell.
struct SweepMap {
  Workspace workspace;  ///< the question, with one repeat
  SweepRange range;
  std::vector<ParallelismMatrix> placements;  ///< rows, in enumeration order
  std::vector<double> values;                 ///< columns, rising
  std::vector<SweepCell> cells;               ///< row by row
  std::vector<std::size_t> bestRow;           ///< by column: the placement whose best is the cheapest of all
  /// Programs by their titles, "RS·AR·AG": those that win most cells first.
  std::vector<std::string> winners;
  std::set<Algorithm> algorithms;  ///< by which the steps of all that is best in a cell run

  [[nodiscard]] const SweepCell& at(std::size_t row, std::size_t column) const {
    return cells[row * values.size() + column];
  }
};
inline constexpr std::size_t kMostMapCells = 200'000;

/// The best program of every placement at every value of a range of bytes or of a figure of an interconnect. Synthesis
/// and, over Bytes, traffic are found once. Errors: as sweep(), a range of nodes, since every number of nodes has
/// placements of its own, and more than kMostMapCells.
[[nodiscard]] Result<std::shared_ptr<const SweepMap>> sweepMap(const Workspace& workspace, const SweepRange& range,
                                                               std::stop_token stop = {},
                                                               const Progress& progress = {});

}  // namespace p2::inline explore
