// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "strategy/strategy_problem.h"

namespace p2 {

/// The weighted constraint satisfaction problem that toulbar2 reads: a variable per vertex, a cost function per vertex
/// and per edge, shared where the tables are. Costs are whole numbers of the step that the problem's name ends with, as
/// in "alexnet_p=8_step=0.25" (costStep()); values are the positions of configurations.
[[nodiscard]] std::string strategyProblemToWcsp(const StrategyProblem& problem);

/// What exportCostTables() knows.
[[nodiscard]] const std::vector<ExportFormat>& costTableFormats();
/// The cost tables in a format of costTableFormats(); the error lists the known ones.
[[nodiscard]] Result<std::string> exportCostTables(const StrategyProblem& problem, std::string_view format);

}  // namespace p2
