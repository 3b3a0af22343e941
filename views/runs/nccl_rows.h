// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/nccl_tests.h"
#include "views/runs/run_record_row.h"
#include "workspace/workspace.h"

namespace p2::views {

/// Measurements of nccl-tests or of NCCL's Inspector as runs, next to the predictions of the workspace's system and cost model for its first
/// devices. Errors: more ranks than devices; the output does not give the number of ranks and the system has one
/// device.
[[nodiscard]] Result<std::vector<RunRow>> rowsFrom(const NcclTests& tests, const Workspace& workspace,
                                                   const QString& source);

}  // namespace p2::views
