// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/bytes.h"
#include "strategy/anytime_solver.h"

namespace p2::inline strategy {

/// A lower bound of cost + price · (memory − deviceMemory), which no strategy that fits costs less than: the least one
/// where solveAnytime() proves it. Errors of solveAnytime().
[[nodiscard]] Result<double> relaxedCost(const StrategyProblem& problem, Bytes deviceMemory, double price,
                                         const SolveOptions& options = {}, std::stop_token stop = {});

/// Minimises costs where every device has `deviceMemory`: Σ memory of the choice ≤ deviceMemory.
///
/// By Lagrangian relaxation: for a price λ of a byte, solveAnytime() finds the least of cost + λ · (memory − limit), a
/// lower bound of what fits; the price at which the bound is highest is found by intersecting lines (Handler and Zang,
/// Networks 1980). There a strategy that fits and one that does not cost the same; a strategy between them, the one up
/// to a vertex and then the other, bettered vertex by vertex, comes close to the bound where layers repeat. The gap
/// that is left is closed by listing strategies in the order of the relaxed costs until none that is left can be
/// cheaper, or until `mostListed` or 200,000 vertices' choices have been listed: the answer then says how far it can be
/// from the best. Every step is a run of solveAnytime() with its limits. Errors: no strategy fits (names the least
/// memory), and errors of solveAnytime().
[[nodiscard]] Result<BoundedSolution> solveWithin(const StrategyProblem& problem, Bytes deviceMemory,
                                                  const SolveOptions& options = {}, std::stop_token stop = {},
                                                  const Progress& progress = {}, std::size_t mostListed = 4096);

}  // namespace p2::inline strategy
