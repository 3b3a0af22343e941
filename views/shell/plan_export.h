// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "views/shell/document_dialogs.h"
#include "views/shell/job_queue.h"

namespace p2::views {

/// Lowers and predicts the program that a workspace chooses and writes it in another format, in a job. `settled` is
/// told what has gone wrong in one sentence, an empty one when nothing has.
void exportPlanOf(const Workspace& workspace, const DocumentDialogs::ExportTarget& target, JobQueue& jobs,
                  const std::function<void(const QString& trouble)>& settled);

}  // namespace p2::views
