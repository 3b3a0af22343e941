// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <optional>
#include <vector>

#include "strategy/computation_graph.h"
#include "strategy/strategy_problem.h"

namespace p2::views {

/// Per vertex the configuration it must take, if any: one entry per vertex, or none at all.
using Pins = std::vector<std::optional<std::size_t>>;

/// A problem with the graph it was made from.
struct StrategyInstance {
  StrategyProblem problem;
  /// Operator i is vertex i; nothing when the problem was read as cost tables, whose costs are in a unit of their own.
  std::optional<ComputationGraph> graph;
  QStringList warnings;  ///< what of the file was taken for something else
};

/// "12.4 ms", or "4.06e+10" where costs are not in seconds.
[[nodiscard]] QString costText(const StrategyInstance& instance, double cost);
/// "m÷4 k÷2": the dimensions that a configuration splits; "whole" when it splits none.
[[nodiscard]] QString marksOf(const StrategyInstance& instance, std::size_t vertex, std::size_t configuration);
/// How many devices a configuration uses.
[[nodiscard]] double devicesOf(const Configuration& parts);
/// "Gemm"; empty when the vertex does not say.
[[nodiscard]] QString kindOf(const StrategyInstance& instance, std::size_t vertex);
/// "12 %", "0.4 %": a share of 1.
[[nodiscard]] QString percentText(double share);

}  // namespace p2::views
