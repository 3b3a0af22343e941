// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "mapping/mapping.h"
#include "views/strategy/strategy_instance.h"

namespace p2::views {

/// Where the cost of every vertex goes: what it computes, what it sums up, and what its inputs take to get there from
/// the vertices before it. They add up to the cost of the strategy. Cost tables do not tell computing from summing up:
/// all that a vertex costs by itself counts as computing. O(vertices + edges).
[[nodiscard]] std::vector<CostSplit> costsOf(const StrategyInstance& instance, const std::vector<std::size_t>& choice);

/// Σ of costsOf().
[[nodiscard]] CostSplit splitOf(const StrategyInstance& instance, const std::vector<std::size_t>& choice);

/// "compute 71 % · reduce 22 % · exchange 7 %", without what costs nothing; for cost tables "vertices 80 % · edges 20
/// %". Empty when all is free.
[[nodiscard]] QString splitText(const StrategyInstance& instance, const CostSplit& split);

/// Whether two costs differ by no more than what sums in another order do.

/// What a choice that is not free adds: "+0.8 % over free", "costs nothing".
[[nodiscard]] QString overFreeText(double cost, double free);

}  // namespace p2::views
