// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

/// A solver's question, and its limits.
struct SolveOptions {
  std::size_t best = 1;  ///< how many of the cheapest strategies; 1 or more
  /// Per vertex the configuration it must take, if any; empty pins none.
  std::vector<std::optional<std::size_t>> pinned;
  std::uint64_t memoryLimit = std::uint64_t{1} << 30;  ///< bytes of tables; a problem that needs more is refused
  /// Effort of a search before it ends with a gap: cells of tables, some seconds of a processor.
  double searchCells = 3e9;
  std::optional<std::chrono::steady_clock::time_point> searchUntil = {};  ///< and the time at which it ends anyhow
  /// Upper limit of useful costs: solveWithin() may end once its bound reaches it.
  double wantedBelow = std::numeric_limits<double>::infinity();
};

/// The method that found a solution.
enum class SolveMethod {
  Elimination,     ///< elimination of all vertices
  Bounds,          ///< elimination, once bounds had excluded configurations
  BranchAndBound,  ///< dividing the configurations until bounds settle each part
};

/// Effort to find a solution.
struct SolveStatistics {
  std::uint64_t cells = 0;         ///< sums compared to make all tables; tables made once for equal parts count once
  std::uint64_t largestTable = 0;  ///< sums compared for a single one
  std::uint64_t bytes = 0;         ///< bytes of all tables held at once, known before the work begins
  std::string order;               ///< the elimination order's rule: "min-degree", "min-fill" or "min-weight"
  std::uint64_t dominated = 0;     ///< configurations removed beforehand; none are sought where the tables are small
  std::uint64_t excluded = 0;      ///< removed because every strategy with one costs more than a known one
  std::uint64_t nodes = 0;         ///< parts that branch and bound looked at
  double widthBytes = 0;  ///< what elimination by itself would need; infinite beyond all machines, 0 where it was done
  SolveMethod method = SolveMethod::Elimination;
};

/// One sentence on how a solution was found, and why another way was not taken: "by elimination in the order min-fill,
/// 3,000 sums".
[[nodiscard]] std::string planText(const SolveStatistics& statistics);
/// "elimination", "bounds", "branch-and-bound".
[[nodiscard]] std::string_view nameOf(SolveMethod method);

/// What solveExactly() finds.
struct Solution {
  std::vector<Strategy> strategies;  ///< cheapest first; among equals the lexicographically smallest choice first
  SolveStatistics statistics;
};

/// The cheapest strategies, found exactly by min-sum variable elimination: vertices are eliminated one by one, each
/// leaving a table over its neighbours, in the cheapest of several greedy orders; the strategies are then read off the
/// tables backwards. Parts of the graph with equal tables, such as repeated layers, are eliminated once. Costs are
/// compared as whole multiples of costStep(), so that equal costs compare equal; the cost reported is costOf().
///
/// `problem` must be validated(). Returns fewer strategies than asked for if there are no more, and a single empty one
/// for a problem without vertices. Time grows with the number of cells: for every eliminated vertex the product of
/// its configurations and its neighbours' at that moment. Where these are many and one strategy is wanted, bounds
/// first exclude configurations whose strategies all cost more than one that SoftCosts came
/// across. Telling strategies of equal cost apart takes up to 64 MiB in addition to the tables, or the rest of the
/// limit if that is more. Errors: a pin out of range, more memory than the limit (says how much), cancelled.
[[nodiscard]] Result<Solution> solveExactly(const StrategyProblem& problem, const SolveOptions& options = {},
                                            std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2::inline strategy
