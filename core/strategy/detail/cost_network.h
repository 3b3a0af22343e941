// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy: a strategy problem as its solvers see it.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

/// Whole-number costs over some axes, the last one contiguous. Without axes it is a single number.
struct CostTable {
  std::vector<std::size_t> sizes;
  std::vector<double> cells;
};

/// A table laid over vertices, one per axis.
struct Factor {
  std::size_t table = 0;
  std::vector<std::size_t> scope;
};

/// A sum of factors to be made least by choosing one of its values for every vertex. Tables are stored once however
/// often they occur, so that equal parts of a graph can be recognised by their tables' numbers.
struct CostNetwork {
  std::vector<CostTable> tables;
  std::vector<Factor> factors;                   ///< one per vertex, then one per edge; parallel edges each
  std::vector<std::vector<std::size_t>> values;  ///< per vertex, the configurations left, ascending

  [[nodiscard]] std::size_t sizeOf(std::size_t vertex) const { return values[vertex].size(); }
};

/// As costStep(problem); of some of the costs alone when stopped.
[[nodiscard]] double costStep(const StrategyProblem& problem, const std::stop_token& stop);

/// Costs as multiples of costStep(problem). O(cells). Returns early, without factors, when stopped.
[[nodiscard]] CostNetwork costNetwork(const StrategyProblem& problem, const std::stop_token& stop = {});

/// The network in which a vertex has only the values at the positions `kept[vertex]`, ascending, one or more. Vertices
/// with a single value leave the scopes of edges.
[[nodiscard]] CostNetwork restricted(const CostNetwork& network, const std::vector<std::vector<std::size_t>>& kept);

}  // namespace p2::inline strategy
