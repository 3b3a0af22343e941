// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/request.h"

namespace p2::cli {

// Each adds one subcommand, which sets `chosen` when it is the one that was given.
void addPlacements(CLI::App& app, Command& chosen);
void addPrograms(CLI::App& app, Command& chosen);
void addSimulate(CLI::App& app, Command& chosen);
void addSweep(CLI::App& app, Command& chosen);
void addStep(CLI::App& app, Command& chosen);
void addCheck(CLI::App& app, Command& chosen);
void addPlan(CLI::App& app, Command& chosen);
void addExport(CLI::App& app, Command& chosen);
void addRun(CLI::App& app, Command& chosen);
void addStrategy(CLI::App& app, Command& chosen);
void addSystem(CLI::App& app, Command& chosen);
void addImport(CLI::App& app, Command& chosen);
void addCalibrate(CLI::App& app, Command& chosen);
void addAtlas(CLI::App& app, Command& chosen);
void addTrain(CLI::App& app, Command& chosen);
void addWhatIf(CLI::App& app, Command& chosen);
void addCompare(CLI::App& app, Command& chosen);
void addCompareRun(CLI::App& app, Command& chosen);
void addWorkload(CLI::App& app, Command& chosen);
void addLesson(CLI::App& app, Command& chosen);
void addHelp(CLI::App& app, Command& chosen);

}  // namespace p2::cli
