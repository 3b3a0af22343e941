// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy/exact_solver.h"

namespace p2 {

/// The cheapest strategy that was found, and how good it is at worst.
struct BoundedSolution {
  Solution solution;      ///< cheapest first; those cheaper than any other are listed
  double lowerBound = 0;  ///< no strategy costs less, among those that are asked for
  bool optimal = false;   ///< whether none is cheaper than the first, which is then proven
  double price = 0;       ///< of a byte, at which the bound was found; 0 where memory binds nothing
};

/// The cheapest strategies as by solveExactly() where elimination is narrow enough, and where it is too wide a search
/// that answers with what it knows: bounds exclude configurations (SoftCosts); if what they leave can be eliminated,
/// that is done, and the answer is the same; otherwise branch and bound goes on until the cheapest strategy is proven
/// or `options.searchCells` or `searchUntil` end it, when the answer has a gap. Then one strategy is given however many
/// are asked for; and strategies of equal cost are not told apart. Where bounds have excluded configurations, of
/// several strategies those are given that cost no more than the cheapest met by them. Errors: a pin out of range,
/// cancelled, within the time of looking at a table's row.
[[nodiscard]] Result<BoundedSolution> solveAnytime(const StrategyProblem& problem, const SolveOptions& options = {},
                                                   std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2
