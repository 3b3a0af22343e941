// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "views/runs/run_record_row.h"
#include "workspace/workspace.h"

class QWidget;

namespace p2::views {

class JobQueue;

/// Asks for a file and writes the runs there, as a table or as JSON by its suffix. `done` gets the path, or why not;
/// `cancelled` is called when the job was stopped, and neither when no file is chosen.
void exportRuns(QWidget* parent, JobQueue& jobs, std::vector<RunRow> rows, std::function<void(Result<QString>)> done,
                std::function<void()> cancelled);

/// Reads the bundled runs: every program on two nodes of four ranks, as tests/testbed measured them. Ends as
/// exportRuns() does.
void readExampleRuns(JobQueue& jobs, std::function<void(Result<std::vector<RunRow>>)> done,
                     std::function<void()> cancelled);

/// Asks for a file and reads its runs: those that exportRuns() wrote as JSON, or the output of nccl-tests as runs on
/// the workspace's system. Ends as exportRuns() does.
void importRuns(QWidget* parent, JobQueue& jobs, std::shared_ptr<const Workspace> workspace,
                std::function<void(Result<std::vector<RunRow>>)> done, std::function<void()> cancelled);

}  // namespace p2::views
