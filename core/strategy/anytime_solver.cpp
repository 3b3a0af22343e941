// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/anytime_solver.h"

#include <algorithm>

#include "base/near.h"
#include "strategy/detail/solver_stages.h"

namespace p2::inline strategy {
namespace {

/// Whether eliminating takes no more than searching may.
bool isAffordable(const EliminationPlan& plan, const SolveOptions& options, const SearchEffort& effort) {
  return plan.complete && plan.bytes <= static_cast<double>(options.memoryLimit) &&
         plan.cells <= std::max(kFewCells, effort.eliminationCells());
}

BoundedSolution proven(Solution solution) {
  const double cost = solution.strategies.front().cost;
  return {std::move(solution), cost, true, 0};
}

/// What elimination made of a stage, less the strategies that others, excluded by bounds, might come before.
BoundedSolution provenOnes(Solution solution, const std::optional<Strategy>& met) {
  if (met) {
    while (solution.strategies.size() > 1 && definitelyLess(met->cost, solution.strategies.back().cost)) {
      solution.strategies.pop_back();
    }
  }
  return proven(std::move(solution));
}

Result<BoundedSolution> searched(const StrategyProblem& problem, SolverStage stage, SearchEffort& effort,
                                 const std::stop_token& stop, const Progress& progress) {
  const double step = costStep(problem);
  Bracket known{{}, stage.met->cost / step, stage.bound};
  if (definitelyLess(known.bound, known.cost)) {
    P2_TRY_ASSIGN(auto result, branchAndBound(stage.network, std::move(known), effort, stop, progress));
    stage.statistics.nodes = result.nodes;
    known = std::move(result.bracket);
    if (!known.choice.empty()) {
      Strategy strategy;
      for (std::size_t v = 0; v < known.choice.size(); ++v) {
        strategy.choice.push_back(stage.network.values[v][known.choice[v]]);
      }
      strategy.cost = costOf(problem, strategy.choice);
      if (strategy.cost < stage.met->cost) stage.met = std::move(strategy);
    }
  }
  stage.statistics.method = SolveMethod::BranchAndBound;
  stage.statistics.cells = static_cast<std::uint64_t>(effort.spent());
  const double cost = stage.met->cost;
  const double bound = known.bound * step;
  const bool optimal = !definitelyLess(bound, cost);
  return BoundedSolution{{{*std::move(stage.met)}, stage.statistics}, optimal ? cost : bound, optimal, 0};
}

}  // namespace

Result<BoundedSolution> solveAnytime(const StrategyProblem& problem, const SolveOptions& options, std::stop_token stop,
                                     const Progress& progress) {
  SearchEffort effort(options.searchCells, options.searchUntil);
  P2_TRY_ASSIGN(auto stage, stageOf(problem, options, {true, true}, effort, stop));
  if (stage.statistics.widthBytes == 0) {
    auto solution = eliminated(problem, std::move(stage), options, stop, progress);
    if (solution.ok()) return proven(std::move(solution).value());
    if (solution.error().kind != ErrorKind::TooLarge) return solution.error();
    P2_TRY_ASSIGN(stage, stageOf(problem, options, {false, true}, effort, stop));
  }
  if (isAffordable(stage.plan, options, effort)) {
    const std::optional<Strategy> met = stage.met;
    auto solution = eliminated(problem, stage, options, stop, progress);
    if (solution.ok()) return provenOnes(std::move(solution).value(), met);
    if (solution.error().kind != ErrorKind::TooLarge) return solution.error();
  }
  return searched(problem, std::move(stage), effort, stop, progress);
}

}  // namespace p2::inline strategy
