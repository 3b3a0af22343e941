// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "graphs/strategy_workload.h"
#include "mapping/mapped_needs.h"
#include "strategy_answer/detail/strategy_instance.h"

namespace p2::inline strategy_answer {

/// The configuration that each vertex must take, if any: one entry per vertex, or an empty list.
using Pins = std::vector<std::optional<std::size_t>>;

/// The best strategies of an instance, at least one, or the one that was to be priced.
struct StrategyAnswer {
  std::shared_ptr<const StrategyInstance> instance;
  Pins pins;  ///< that were kept to
  Solution solution;
  double lowerBound = 0;   ///< no strategy that fits the memory costs less
  bool optimal = true;     ///< whether none is cheaper than the first
  bool evaluated = false;  ///< the strategy was given, not found

  [[nodiscard]] const Strategy& best() const { return solution.strategies.front(); }
  [[nodiscard]] BoundedSolution bounded() const { return {solution, lowerBound, optimal}; }
};

/// Solves an instance; on a mesh the solution is there already. Errors: of the solvers, cancelled; a plan with a
/// configuration that the instance's space does not have.
[[nodiscard]] Result<StrategyAnswer> strategyAnswer(std::shared_ptr<const StrategyInstance> instance,
                                                    const StrategySearch& search, std::stop_token stop = {},
                                                    const Progress& progress = {});

/// The axes of a strategy's mesh under their roles, "data 16", "tensor 8"; none off a mesh.
[[nodiscard]] std::vector<Axis> degreesOf(const StrategyInstance& instance, const Strategy& strategy);

/// The collectives that a strategy of an instance needs, most expensive first; none for cost tables, which do not name
/// them. Errors: of the pricer, cancelled.
[[nodiscard]] Result<std::vector<StrategyNeed>> needsOf(const StrategyInstance& instance, const Strategy& strategy,
                                                        StrategyPrices& prices);

/// Communication of a training step under a strategy of an instance. Errors: cost tables, a strategy on a mesh without
/// a mapping, nothing is communicated.
[[nodiscard]] Result<WorkloadSource> workloadOf(const StrategyInstance& instance, const Strategy& strategy);

}  // namespace p2::inline strategy_answer
