// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy/detail/exact_solver.h"

namespace p2::inline strategy {

/// The cheapest strategy that was found, and how good it is at worst.
struct BoundedSolution {
  Solution solution;      ///< cheapest first
  double lowerBound = 0;  ///< no strategy costs less, among those that are asked for
  bool optimal = false;   ///< whether none is cheaper than the first, which is then proven
  double price = 0;       ///< price of a byte at which the bound was found; 0 where memory binds nothing
};

/// The cheapest strategies, or, where proving them takes too long, the best one found and a bound below which none
/// costs. Where elimination is narrow enough this is solveExactly(). Where it is too wide, bounds exclude
/// configurations first (SoftCosts). If the remaining configurations can be eliminated, the answer is as exact; of
/// several requested strategies it then has only the ones that cost no more than the cheapest that bounds came across.
/// Otherwise branch and bound goes on until the cheapest strategy is proven, or until `options.searchCells` or
/// `searchUntil` end it and the answer has a gap; one strategy is then given however many are asked for, and strategies
/// of equal cost are not told apart. `problem` must be validated(). Errors: a pin out of range, cancelled (which is
/// noticed at every row of a table).
[[nodiscard]] Result<BoundedSolution> solveAnytime(const StrategyProblem& problem, const SolveOptions& options = {},
                                                   std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2::inline strategy
