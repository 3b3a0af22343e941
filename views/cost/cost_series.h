// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "explore/explore.h"

namespace p2::views {

/// One program of one placement as a bar.
struct CostBar {
  int placement = 0;  ///< index into Exploration::placements
  int program = 0;    ///< index into that placement's programs, −1 for an AllReduce that is not listed there
  double seconds = 0;
  double speedup = 1;      ///< over the AllReduce of the same placement
  bool reference = false;  ///< the single AllReduce of its placement
  double overlapped = 0;   ///< seconds when its steps overlap; 0 if not requested
  [[nodiscard]] double rankedSeconds() const { return overlapped > 0 ? overlapped : seconds; }
  friend bool operator==(const CostBar&, const CostBar&) = default;
};

enum class CostOrder {
  Time,       ///< fastest first
  Placement,  ///< placement by placement, fastest first within each
  Speedup,    ///< largest gain over the placement's AllReduce first
};

struct CostChoice {
  CostOrder order = CostOrder::Time;
  int onlyPlacement = -1;       ///< index of the one placement to show, −1 for all
  std::size_t mostBars = 5000;  ///< the AllReduce of every placement shown not counted
  friend bool operator==(const CostChoice&, const CostChoice&) = default;
};

struct CostSeries {
  std::vector<CostBar> bars;
  Count leftOut;  ///< programs of the placements asked for that have no bar
};

/// The bars of an exploration. Of too many programs every placement keeps its fastest, as many of each; of too many
/// placements the ones with the fastest programs are kept. O(n log n).
[[nodiscard]] CostSeries costSeries(const Exploration& exploration, const CostChoice& choice);

/// A limit under some bars side by side: none of their programs, listed or not, is faster.
struct LowerBoundLine {
  int first = 0;
  int last = 0;
  double seconds = 0;
  friend bool operator==(const LowerBoundLine&, const LowerBoundLine&) = default;
};
/// One line under the bars of each placement if these stand together, else one under all: the lowest of their limits.
[[nodiscard]] std::vector<LowerBoundLine> lowerBoundLines(const Exploration& exploration,
                                                          const std::vector<CostBar>& bars, bool grouped);

/// The steps a bar is made of.
[[nodiscard]] const std::vector<StepCost>& stepsOf(const Exploration& exploration, const CostBar& bar);
[[nodiscard]] Program programOf(const Exploration& exploration, const CostBar& bar);
/// The bars as CSV (RFC 4180): matrix, program, seconds, allreduce_seconds; where steps
/// overlap also overlapped_seconds.
[[nodiscard]] std::string costCsv(const Exploration& exploration, const std::vector<CostBar>& bars);

}  // namespace p2::views
