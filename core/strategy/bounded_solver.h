// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/bytes.h"
#include "strategy/exact_solver.h"

namespace p2 {

/// The cheapest strategy found whose devices have room for it, and how good it is at worst.
struct BoundedSolution {
  Solution solution;      ///< its strategies all fit, cheapest first; those cheaper than any other that fits are listed
  double lowerBound = 0;  ///< no strategy that fits costs less
  bool optimal = false;   ///< whether none is cheaper than the first, which is then proven
  double price = 0;       ///< of a byte, at which the bound was found; 0 where the cheapest of all fits
};

/// The least of cost + price · (memory − deviceMemory), which no strategy that fits costs less than. Errors: those of
/// solveExactly().
[[nodiscard]] Result<double> relaxedCost(const StrategyProblem& problem, Bytes deviceMemory, double price,
                                         const SolveOptions& options = {}, std::stop_token stop = {});

/// Minimises costs where every device has `deviceMemory`: Σ memory of the choice ≤ deviceMemory.
///
/// By Lagrangian relaxation: for a price λ of a byte, solveExactly() finds the least of cost + λ · (memory − limit), a
/// lower bound of what fits; the price at which the bound is highest is found by intersecting lines (Handler and Zang,
/// Networks 1980). The gap between that bound and the best strategy that fits is then closed by listing strategies in
/// the order of the relaxed costs until none that is left can be cheaper, or `mostListed` have been looked at: repeated
/// layers can make the gap take too many, and the answer then says how far it can be from the best.
/// Every step is a run of solveExactly() with its limits. Errors: no strategy fits (says what the least needs), and
/// those of solveExactly().
[[nodiscard]] Result<BoundedSolution> solveWithin(const StrategyProblem& problem, Bytes deviceMemory,
                                                  const SolveOptions& options = {}, std::stop_token stop = {},
                                                  const Progress& progress = {}, std::size_t mostListed = 4096);

}  // namespace p2
