// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "strategy/computation_graph.h"
#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

/// Largest number of cells of all edge tables of a problem together: 1 GiB of costs.
inline constexpr std::uint64_t kMostTableCells = std::uint64_t{1} << 27;

/// Numbers that are equal for two operators that cost the same in every configuration: kind, dimensions and tensors,
/// but not names.
[[nodiscard]] std::vector<std::int64_t> likenessOf(const Operator& op);

/// Fills `problem.edges` and adds the cost tables they use, still without costs: edges between tensors of equal
/// operators share one. The problem's vertices and the configurations of their domains are there already. Returns, for
/// each table, an edge of the graph that uses it; or an error of kind TooLarge that ends in `remedy`, which says what
/// to choose instead, if the tables had more than `kMostTableCells` cells.
[[nodiscard]] Result<std::vector<std::size_t>> shareTables(const ComputationGraph& graph, std::string_view remedy,
                                                           StrategyProblem& problem);

}  // namespace p2::inline strategy
