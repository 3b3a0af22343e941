// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include "base/progress.h"
#include "base/result.h"
#include "strategy/literal/literal_trace.h"
#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

/// Options and limits of a run.
struct LiteralOptions {
  enum class Ties {
    Lowest,     ///< the repair: among equal costs the lowest configuration
    Arbitrary,  ///< as printed, any: the optimum, or every strategy, can get lost
  };
  Ties ties = Ties::Lowest;
  std::uint64_t seed = 0;              ///< seed of the choices among Arbitrary ties
  std::uint64_t rowLimit = 1'000'000;  ///< most rows of all tables together, and of the strategies joined from them
  bool keepTrace = false;
};

/// Effort of a run.
struct LiteralStatistics {
  double startRows = 0;   ///< rows of all tables before the loop
  double strategies = 0;  ///< valid ones left at line 36
  double mostJoined = 0;  ///< sub-strategies that Algorithm 3 holds at once, at most
};

/// Result of a run.
struct LiteralSolution {
  std::optional<Strategy> strategy;  ///< empty when no valid strategy is left, which only Arbitrary ties can do
  LiteralStatistics statistics;
  std::shared_ptr<const LiteralTrace> trace;  ///< null unless asked for
};

/// Rows of all tables before the loop (line 13), Σ_v ∏ |u.cfg| over v and its neighbours: the least effort of a run.
[[nodiscard]] double literalStartRows(const StrategyProblem& problem);

/// Algorithms 1–3 of the early form of PaSE as printed, for teaching, with two repairs. First, ties at line 23 go to
/// the lowest configuration, and costs are compared exactly. The lexicographically smallest optimum then survives every
/// step: a row that beat one of its rows would have to be as cheap and come first, which would make a smaller optimum.
/// Second, Algorithm 3 tells "not started" from "nothing left". Parallel edges are summed, and the graph may have any
/// number of components. `problem` is validated(). Time and memory grow with the rows: ∏ over whole neighbourhoods, and
/// exponentially many in the join; the join is counted before it is made. Errors: more rows than the limit (says how
/// many), cancelled.
[[nodiscard]] Result<LiteralSolution> solveLiterally(const StrategyProblem& problem, const LiteralOptions& options = {},
                                                     std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2::inline strategy
