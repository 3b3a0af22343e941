// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

/// A lower bound of the cost of every strategy. Costs flow along the edges in topological order: each vertex hands an
/// equal part of its costs so far to every edge that leaves it, and each edge keeps the least over the
/// configurations that it comes from. Exact for trees whose edges lead to the root; where paths part and meet again,
/// configurations may differ between them. Tables without costs yet count as 0, and so do vertices on or behind a
/// circle of edges. Safe from rounding. O(edges · cells of their tables).
[[nodiscard]] double flowBound(const StrategyProblem& problem);

}  // namespace p2::inline strategy
