// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <stop_token>
#include <string_view>

#include "base/progress.h"
#include "strategy/computation_graph.h"
#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

/// Common strategies that need no search; the best one is compared with them. The first dimension of every
/// vertex counts as its batch, which is how operators are written.
enum class Baseline {
  DataParallelism,   ///< splits the batch alone, as far as the configurations allow
  ModelParallelism,  ///< never splits the batch; the cheapest strategy that uses as many devices as can be
  Greedy,            ///< every vertex takes its own cheapest configuration, ignoring its neighbours
};

inline constexpr std::array kBaselines{Baseline::DataParallelism, Baseline::ModelParallelism, Baseline::Greedy};

/// "data parallelism".
[[nodiscard]] std::string_view nameOf(Baseline baseline);
/// Description of a baseline in one sentence.
[[nodiscard]] std::string_view meaningOf(Baseline baseline);

/// The cheapest strategy among those that a baseline allows, found by solveExactly() over the configurations it leaves.
/// Errors: a vertex that has no allowed configuration (by its name), and errors of solveExactly().
[[nodiscard]] Result<Strategy> baselineStrategy(const StrategyProblem& problem, Baseline baseline,
                                                std::stop_token stop = {}, const Progress& progress = {});

/// Data parallelism in which experts are sharded over devices. Operators with a part for each expert split the experts,
/// and the batch as far as that leaves devices; all others, those that send tokens there and back included, split the
/// batch alone. `problem` is one that was made from the graph. Errors: as baselineStrategy().
[[nodiscard]] Result<Strategy> expertStrategy(const ComputationGraph& graph, const StrategyProblem& problem,
                                              std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2::inline strategy
