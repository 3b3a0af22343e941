// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "strategy/detail/cost_network.h"

namespace p2::inline strategy {

/// The rule for the next vertex to eliminate: the one with the fewest neighbours, with the fewest pairs of neighbours
/// not yet joined, or whose table has the fewest cells.
enum class OrderRule { MinDegree, MinFill, MinWeight };
/// The choice among equals.
enum class OrderTie { First, Last };

struct EliminationOrder {
  std::string name;  ///< name of the rule
  std::vector<std::size_t> vertices;
};

/// An order of all vertices, chosen greedily by the rule, in O(vertices · degree²). It ends early at a table of more
/// than kMostCells cells, which would fit into no memory, and when it is stopped.
[[nodiscard]] EliminationOrder eliminationOrder(const CostNetwork& network, OrderRule rule, OrderTie tie,
                                                const std::stop_token& stop = {});

/// Above the number of bytes of any machine.
inline constexpr double kMostCells = 1e18;

}  // namespace p2::inline strategy
