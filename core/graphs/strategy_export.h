// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "strategy/computation_graph.h"
#include "strategy/strategy_problem.h"

namespace p2 {

/// A strategy to be written down. `graph` names the dimensions when there is one: its operators are the vertices.
struct StrategyReport {
  const StrategyProblem& problem;
  const ComputationGraph* graph = nullptr;
  const Strategy& strategy;
};

/// {"format": "p2-strategy", …}: cost, and every vertex and edge with what it chose and costs; schema in
/// resources/schemas.
[[nodiscard]] std::string strategyToJson(const StrategyReport& report);
/// One row per vertex: its name, configuration ("m=4 k=2"), devices and cost.
[[nodiscard]] std::string strategyToCsv(const StrategyReport& report);

/// What exportStrategy() knows.
[[nodiscard]] const std::vector<ExportFormat>& strategyExportFormats();
/// The strategy in a format of strategyExportFormats(); the error lists the known ones.
[[nodiscard]] Result<std::string> exportStrategy(const StrategyReport& report, std::string_view format);

}  // namespace p2
