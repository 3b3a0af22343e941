// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "step/break_evens.h"

namespace p2::views {

/// Two groups of entries that can be weighed against each other, as they are chosen from.
struct GroupChoice {
  QString title;  ///< "all over data", "A layer weights"
  EntryGroup group;
};
/// All entries over the same axes together, and every entry by itself where that is another group.
[[nodiscard]] std::vector<GroupChoice> groupChoices(const StepRanking& ranking);

/// Time of one placement for two groups of entries; the first is constant.
struct BreakEvenLine {
  std::size_t placement = 0;  ///< of StepRanking::placements
  double first = 0;           ///< seconds of the first group
  double second = 0;          ///< seconds of the second group at the workload's own ratio
  bool isBest = false;        ///< for some ratio
  /// At this multiple of the workload's own ratio.
  [[nodiscard]] double secondsAt(double times) const { return first + second * times; }
};

/// Break-evens as they are drawn: everything over the ratio of bytes, second group over first.
struct BreakEvenChart {
  BreakEvens answer;
  std::vector<BreakEvenLine> lines;  ///< by placement
  double lower = 0;                  ///< the ratios that are shown
  double upper = 0;
  /// The best placement at a ratio.
  [[nodiscard]] std::size_t bestAt(double ratio) const;
  [[nodiscard]] double secondsAt(std::size_t placement, double ratio) const;
};
[[nodiscard]] BreakEvenChart breakEvenChart(const StepRanking& ranking, EntryGroup first, EntryGroup second);

/// "Up to 1/4 times as many bytes of tensor as of data [[4,8],[8,1]] is the best, …; this workload has 30."
[[nodiscard]] QString breakEvenFinding(const StepRanking& ranking, const BreakEvenChart& chart);

}  // namespace p2::views
