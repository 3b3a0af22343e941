// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <variant>
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

/// What is written down, in the order of ExportFormat::write.
enum class ExportSubject { Plan, CostTables, Strategy };

/// "plan", "cost tables", "strategy".
[[nodiscard]] std::string_view nameOf(ExportSubject subject);

/// A way to write something down for people or other programs.
struct ExportFormat {
  std::string name;       ///< "csv"; subjects may share a name
  std::string extension;  ///< "csv"
  std::string description;
  /// What it applies to is what it takes.
  std::variant<std::string (*)(const Plan&), std::string (*)(const StrategyProblem&),
               std::string (*)(const StrategyReport&)>
      write;

  [[nodiscard]] ExportSubject subject() const { return static_cast<ExportSubject>(write.index()); }
};

/// All formats, those of a subject together.
[[nodiscard]] const std::vector<ExportFormat>& exportFormats();
[[nodiscard]] std::vector<ExportFormat> exportFormats(ExportSubject subject);

/// The plan in one of the formats of its subject; the error lists them.
[[nodiscard]] Result<std::string> exportPlan(const Plan& plan, std::string_view format);
/// The cost tables, likewise.
[[nodiscard]] Result<std::string> exportCostTables(const StrategyProblem& problem, std::string_view format);
/// The strategy, likewise.
[[nodiscard]] Result<std::string> exportStrategy(const StrategyReport& report, std::string_view format);

/// One row per step and group; lists inside a cell are separated by blanks.
[[nodiscard]] std::string planToCsv(const Plan& plan);
/// A report for people: system, placement, program, and every step with its groups and predicted time.
[[nodiscard]] std::string planToText(const Plan& plan);

/// The weighted constraint satisfaction problem that toulbar2 reads: a variable per vertex, a cost function per vertex
/// and per edge, shared where the tables are. Costs are whole numbers of the step that the problem's name ends with, as
/// in "alexnet_p=8_step=0.25" (costStep()); values are the positions of configurations.
[[nodiscard]] std::string strategyProblemToWcsp(const StrategyProblem& problem);

/// {"format": "p2-strategy", …}: cost, and every vertex and edge with what it chose and costs; schema in
/// resources/schemas.
[[nodiscard]] std::string strategyToJson(const StrategyReport& report);
/// One row per vertex: its name, configuration ("m=4 k=2"), devices and cost.
[[nodiscard]] std::string strategyToCsv(const StrategyReport& report);

}  // namespace p2
