// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/document.h"
#include "workload/sources.h"

namespace p2::cli {

/// A workload, and the facts that were understood, assumed and ignored. The source must outlive the answer.
[[nodiscard]] Document workloadAnswer(const WorkloadSource& source);
[[nodiscard]] Result<Document> bundledWorkloadsAnswer();

}  // namespace p2::cli
