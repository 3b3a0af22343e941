// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "views/shell/document_dialogs.h"
#include "views/shell/job_queue.h"

namespace p2::views {

/// Lowers and predicts the chosen program of a workspace and writes it in another format, in a job. `settled` gets the
/// error as one sentence, or an empty text.
void exportPlanOf(const Workspace& workspace, const DocumentDialogs::ExportTarget& target, JobQueue& jobs,
                  const std::function<void(const QString& trouble)>& settled);

}  // namespace p2::views
