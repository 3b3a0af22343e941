// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <stop_token>
#include <string_view>

#include "base/progress.h"
#include "strategy/strategy_problem.h"

namespace p2 {

/// Strategies people choose without a search, to measure the best one against. The first dimension of a vertex is taken
/// for its batch, as operators name it.
enum class Baseline {
  DataParallelism,   ///< splits the batch alone, as far as the configurations allow
  ModelParallelism,  ///< never splits the batch; the cheapest strategy that uses as many devices as can be
  Greedy,            ///< every vertex takes what is cheapest for itself, whatever its neighbours do
};

inline constexpr std::array kBaselines{Baseline::DataParallelism, Baseline::ModelParallelism, Baseline::Greedy};

/// "data parallelism".
[[nodiscard]] std::string_view nameOf(Baseline baseline);
/// What a baseline is, in one sentence for people.
[[nodiscard]] std::string_view meaningOf(Baseline baseline);

/// The cheapest strategy among those that a baseline allows, found by solveExactly() over the configurations it leaves.
/// Errors: a vertex none of whose configurations it allows (names it), and those of solveExactly().
[[nodiscard]] Result<Strategy> baselineStrategy(const StrategyProblem& problem, Baseline baseline,
                                                std::stop_token stop = {}, const Progress& progress = {});

}  // namespace p2
