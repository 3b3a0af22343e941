// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy: the stages of the solvers.
#pragma once

#include <optional>
#include <stop_token>

#include "strategy/detail/branch_and_bound.h"
#include "strategy/detail/elimination_plan.h"
#include "strategy/detail/exact_solver.h"

namespace p2::inline strategy {

/// Number of cells up to which filling tables takes less time than reducing them.
inline constexpr double kFewCells = 1e9;

/// A problem's network, made smaller where its elimination is wide, and the facts learnt on the way.
struct SolverStage {
  CostNetwork network;
  EliminationPlan plan;
  SolveStatistics statistics;
  std::optional<Strategy> met;  ///< the cheapest that bounds came across, if any were sought
  double bound = 0;             ///< then no strategy costs less, in multiples of the problem's step
};

/// The reductions of a network before it is eliminated.
struct StageWish {
  bool direct = true;   ///< leave it as it is where its elimination has few cells
  bool bounds = false;  ///< use bounds, too; it then has only strategies that cost no more than `met`
};

/// Errors: a pin out of range, cancelled.
[[nodiscard]] Result<SolverStage> stageOf(const StrategyProblem& problem, const SolveOptions& options, StageWish wish,
                                          SearchEffort& effort, const std::stop_token& stop);

/// The cheapest strategies of a stage by elimination. Errors: too many equals, cancelled.
[[nodiscard]] Result<Solution> eliminated(const StrategyProblem& problem, SolverStage stage,
                                          const SolveOptions& options, const std::stop_token& stop,
                                          const Progress& progress);

}  // namespace p2::inline strategy
