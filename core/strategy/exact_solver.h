// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/progress.h"
#include "strategy/strategy_problem.h"

namespace p2 {

struct SolveOptions {
  std::size_t best = 1;  ///< how many of the cheapest strategies; 1 or more
  /// Per vertex the configuration it must take, if any; empty pins none.
  std::vector<std::optional<std::size_t>> pinned;
  std::uint64_t memoryLimit = std::uint64_t{1} << 30;  ///< bytes of tables; a problem that needs more is refused
};

struct SolveStatistics {
  std::uint64_t cells = 0;         ///< sums compared to make all tables; tables made once for equal parts count once
  std::uint64_t largestTable = 0;  ///< sums compared for a single one
  std::uint64_t bytes = 0;         ///< of all tables held at once, known before the work begins
  std::string order;               ///< the elimination order's rule: "min-degree", "min-fill" or "min-weight"
  std::uint64_t dominated = 0;     ///< configurations removed beforehand; none are sought where the tables are small
};

struct Solution {
  std::vector<Strategy> strategies;  ///< cheapest first; among equals the lexicographically smallest choice first
  SolveStatistics statistics;
};

/// The cheapest strategies, exactly, by min-sum variable elimination: a vertex and all it is joined to become a table
/// over its neighbours, in the cheapest of several greedy orders, and the strategies are read off backwards. Parts of
/// the graph with equal tables, such as repeated layers, are eliminated once. Costs are compared as whole multiples of
/// costStep(), so that ties are ties; a strategy's own cost is costOf(). `problem` is validated(). Fewer strategies
/// than asked for when there are no more; one, of nothing, when there are no vertices.
/// Time grows with the cells, ∏ of the configurations of a vertex and its neighbours when it is eliminated; beside the
/// tables up to 64 MiB or the rest of the limit, whichever is more, go into telling strategies of equal cost apart.
/// Errors: a pin out of range, more memory than the limit (says how much), cancelled.
[[nodiscard]] Result<Solution> solveExactly(const StrategyProblem& problem, const SolveOptions& options = {},
                                            std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2
