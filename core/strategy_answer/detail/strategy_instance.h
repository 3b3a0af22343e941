// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "mapping/mapping.h"
#include "mapping/strategy_plan.h"
#include "strategy/graph_repeats.h"
#include "strategy_answer/detail/strategy_prices.h"

namespace p2::inline strategy_answer {

/// Options of the search for strategies.
struct StrategySearch {
  /// Numbers, memory and time; `pinned` holds the pins of cost tables and of the flat model.
  SolveOptions solving = {};
  /// Pins on a mesh. A pin of an unknown vertex, or with another number of dimensions, is ignored.
  std::vector<StrategyPin> pins = {};
  /// A given strategy, which is priced instead of a search; whether it fits the memory is reported, not required.
  std::optional<StrategyPlan> plan = {};
};

/// The best strategies on one mesh, found with the pins of the search.
struct MeshAnswer {
  MappedSolution solution;        ///< its problem's tables are moved to the instance
  std::vector<Mapping> mappings;  ///< for the first kMostMappings strategies
};
inline constexpr std::size_t kMostMappings = 10;

/// A question with its cost tables. On a mesh the tables belong to the best mesh, so the search for it is done.
struct StrategyInstance : StrategyInput {
  std::optional<MeshAnswer> onMesh = {};
  std::vector<Repeat> repeats = {};  ///< equal layers

  [[nodiscard]] const MappedProblem& mapped() const { return onMesh->solution.mapped; }
  /// Computation and transfers of a strategy on its mesh. Null off a mesh, and for a strategy that is not among
  /// `onMesh->mappings`.
  [[nodiscard]] const Mapping* mappingOf(const std::vector<std::size_t>& choice) const;
};

/// Prices the configurations of a question's graph; on a mesh also finds the best strategies. Errors: of the options,
/// too large, of the search, cancelled; a plan's matrix that does not fit the system.
[[nodiscard]] Result<StrategyInstance> strategyInstance(StrategyInput input, const StrategySearch& search,
                                                        StrategyPrices& prices, const std::stop_token& stop = {},
                                                        const Progress& progress = {});

/// Where the cost of every vertex goes: computation, reductions of its own, and resharding of its inputs; they add up
/// to the cost of the strategy. Sums along an edge count as reductions where the strategy has a mapping. Cost tables do
/// not separate computation from reductions: all that a vertex costs counts as computation. Seconds, or the unit of the
/// cost tables. O(vertices + edges).
[[nodiscard]] std::vector<CostSplit> costsOf(const StrategyInstance& instance, const std::vector<std::size_t>& choice);
/// Σ of costsOf().
[[nodiscard]] CostSplit splitOf(const StrategyInstance& instance, const std::vector<std::size_t>& choice);

/// Memory of each device. Precondition: the instance has a graph.
[[nodiscard]] StepMemory stepMemoryOf(const StrategyInstance& instance, const Strategy& strategy);

/// Largest number of devices that work on one vertex: ∏ parts, the largest of all vertices.
[[nodiscard]] std::int64_t devicesUsed(const StrategyProblem& problem, const std::vector<std::size_t>& choice);

}  // namespace p2::inline strategy_answer
