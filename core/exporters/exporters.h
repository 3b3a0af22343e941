// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mapping/mapped_problem.h"
#include "plan/plan.h"
#include "strategy/computation_graph.h"
#include "strategy/strategy_problem.h"
#include "strategy/strategy_step.h"

namespace p2::inline exporters {

/// A strategy to export. `graph` names the dimensions when there is one: its operators are the vertices.
struct StrategyReport {
  const StrategyProblem& problem;
  const ComputationGraph* graph = nullptr;
  const Strategy& strategy;
  const MappedProblem* mapped = nullptr;  ///< for a strategy on a mesh; null for others; needs `graph`
  std::optional<StrategyStep> step = {};  ///< lets a file be priced again; graphs only
};

/// The subject of an export, in the order of ExportFormat::write.
enum class ExportSubject { Plan, CostTables, Strategy };

/// "plan", "cost tables", "strategy".
[[nodiscard]] std::string_view nameOf(ExportSubject subject);

/// Export options; each format uses its own.
struct ExportOptions {
  /// Names of the nodes, in the order of the devices; empty for node0, node1, …
  std::vector<std::string> hosts = {};
  /// Names of the axes in the order in which the framework counts ranks, the slowest first; empty for the listed order.
  /// Axes of size 1 may be left out.
  std::vector<std::string> order = {};
};

/// Writes a subject, or explains in one sentence why this format cannot and which one can.
template <class Subject>
using Writer = Result<std::string> (*)(const Subject& subject, const ExportOptions& options);

/// An export format for people or other programs.
struct ExportFormat {
  std::string name;       ///< "csv"; subjects may share a name
  std::string extension;  ///< "csv"
  std::string description;
  /// The writer's parameter is the subject that the format applies to.
  std::variant<Writer<Plan>, Writer<StrategyProblem>, Writer<StrategyReport>> write;
  std::string runsOn = {};  ///< software that takes the file today; empty for files that people read

  [[nodiscard]] ExportSubject subject() const { return static_cast<ExportSubject>(write.index()); }
};

/// All formats, grouped by subject.
[[nodiscard]] const std::vector<ExportFormat>& exportFormats();
[[nodiscard]] std::vector<ExportFormat> exportFormats(ExportSubject subject);

/// The plan in one of the formats of its subject. Errors: another name, for which they are listed; a plan that the
/// format cannot express.
[[nodiscard]] Result<std::string> exportPlan(const Plan& plan, std::string_view format,
                                             const ExportOptions& options = {});
/// The cost tables, likewise.
[[nodiscard]] Result<std::string> exportCostTables(const StrategyProblem& problem, std::string_view format);
/// The strategy, likewise.
[[nodiscard]] Result<std::string> exportStrategy(const StrategyReport& report, std::string_view format);

/// A web page that plays two plans side by side on one clock, as A and B. Errors: more than kMostStoryDevices devices.
[[nodiscard]] Result<std::string> plansToPage(const Plan& plan, const Plan& rival);
/// One handout of two plans on one system: step by step, A in the left column and B in the right one. `answers` fills
/// in the blanks. Errors: more than kMostStoryDevices devices.
[[nodiscard]] Result<std::string> plansToHandout(const Plan& plan, const Plan& rival, bool answers);

/// The weighted constraint satisfaction problem that toulbar2 reads: a variable per vertex, a cost function per vertex
/// and per edge, shared where the tables are. Costs are whole numbers of the step that the problem's name ends with, as
/// in "alexnet_p=8_step=0.25" (costStep()); values are the positions of configurations.
[[nodiscard]] std::string strategyProblemToWcsp(const StrategyProblem& problem);

/// {"format": "p2-strategy", …}: cost, and every vertex and edge with its choice and cost; schema in
/// resources/schemas.
[[nodiscard]] std::string strategyToJson(const StrategyReport& report);
/// One row per vertex: its name, configuration ("m=4 k=2"), devices and cost; then one, without devices and cost, for
/// each thing that no cost counts ("not priced") or that is taken for granted ("assumed").
[[nodiscard]] std::string strategyToCsv(const StrategyReport& report);

}  // namespace p2::inline exporters
