// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy_answer/strategy_answer.h"

#include <algorithm>

#include "mapping/axis_names.h"

namespace p2::inline strategy_answer {
namespace {

/// The mesh's strategies are found. Several configurations have the parts that a vertex is pinned to; the best strategy
/// has one of them, which is then the pinned one.
StrategyAnswer onMesh(std::shared_ptr<const StrategyInstance> instance, const StrategySearch& search) {
  const BoundedSolution& bounded = instance->onMesh->solution.bounded;
  Pins kept = search.solving.pinned;
  for (std::size_t v = 0; v < kept.size(); ++v) {
    if (kept[v]) kept[v] = bounded.solution.strategies.front().choice[v];
  }
  return {std::move(instance), std::move(kept), bounded.solution,
          bounded.lowerBound,  bounded.optimal, search.plan.has_value()};
}

/// A given strategy among the configurations of the tables.
Result<StrategyAnswer> evaluated(std::shared_ptr<const StrategyInstance> instance, const StrategyPlan& plan) {
  const StrategyProblem& problem = instance->problem;
  Strategy strategy;
  for (std::size_t v = 0; v < plan.pins.size(); ++v) {
    const auto& all = problem.domainOf(v).configurations;
    const auto found = std::find(all.begin(), all.end(), plan.pins[v]->parts);
    if (found == all.end()) {
      return Error{"\"" + problem.vertices[v].name +
                   "\" has no such configuration in this space; allow others with another space or cutoff"};
    }
    strategy.choice.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  strategy.cost = costOf(problem, strategy.choice);
  const double cost = strategy.cost;
  return StrategyAnswer{std::move(instance), {}, {{std::move(strategy)}, {}}, cost, true, true};
}

}  // namespace

Result<StrategyAnswer> strategyAnswer(std::shared_ptr<const StrategyInstance> instance, const StrategySearch& search,
                                      std::stop_token stop, const Progress& progress) {
  if (instance->onMesh) return onMesh(std::move(instance), search);
  if (search.plan) return evaluated(std::move(instance), *search.plan);
  BoundedSolution bounded;
  if (const Bytes memory = instance->deviceMemory(); memory > Bytes(0)) {
    P2_TRY_ASSIGN(bounded, solveWithin(instance->problem, memory, search.solving, std::move(stop), progress));
  } else {
    P2_TRY_ASSIGN(bounded, solveAnytime(instance->problem, search.solving, std::move(stop), progress));
  }
  return StrategyAnswer{std::move(instance), search.solving.pinned, std::move(bounded.solution), bounded.lowerBound,
                        bounded.optimal};
}

std::vector<Axis> degreesOf(const StrategyInstance& instance, const Strategy& strategy) {
  if (!instance.onMesh) return {};
  return namedAxesOf(instance.mapped().mesh, axisNamesOf(*instance.graph, instance.mapped(), strategy));
}

Result<std::vector<StrategyNeed>> needsOf(const StrategyInstance& instance, const Strategy& strategy,
                                          StrategyPrices& prices) {
  if (!instance.graph) return std::vector<StrategyNeed>();
  if (!instance.onMesh) return strategyNeeds(*instance.graph, instance.options, instance.problem, strategy);
  const MappedGraph graph(*instance.graph, instance.options);
  if (const Mapping* const known = instance.mappingOf(strategy.choice)) {
    return mappedNeeds(graph, instance.mapped(), *known, prices.simulated());
  }
  P2_TRY_ASSIGN(const auto mapping, mappingOf(graph, instance.mapped(), strategy, prices.onMesh()));
  return mappedNeeds(graph, instance.mapped(), mapping, prices.simulated());
}

Result<WorkloadSource> workloadOf(const StrategyInstance& instance, const Strategy& strategy) {
  if (!instance.graph) return Error{"cost tables name no communication; name a graph"};
  if (!instance.onMesh) return workloadOf(*instance.graph, instance.options, instance.problem, strategy);
  const Mapping* const mapping = instance.mappingOf(strategy.choice);
  if (mapping == nullptr) return Error{"only the best strategies on a mesh have a workload; choose one of them"};
  return workloadOf(MappedGraph(*instance.graph, instance.options), instance.mapped(), *mapping);
}

}  // namespace p2::inline strategy_answer
