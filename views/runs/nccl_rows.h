// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/nccl_tests.h"
#include "views/runs/run_record_row.h"
#include "workspace/workspace.h"

namespace p2::views {

/// What nccl-tests measured, as runs next to what the workspace's system and cost model predict for its first devices.
/// Errors: more ranks than the system has devices; the output does not say how many, and the system has one device.
[[nodiscard]] Result<std::vector<RunRow>> rowsFrom(const NcclTests& tests, const Workspace& workspace,
                                                   const QString& source);

}  // namespace p2::views
