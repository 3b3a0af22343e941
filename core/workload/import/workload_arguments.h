// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "base/progress.h"
#include "workload/sources.h"

namespace p2 {

/// A workload from whatever people name: a bundled model, a file of workloadFormats(), or files of others
/// (importWorkload()). The content decides. Errors: as of those; changes to what has no degrees; a file that is none of
/// all these, with their names.
[[nodiscard]] Result<WorkloadSource> workloadFromArguments(std::span<const std::string> arguments,
                                                           const WorkloadReading& reading = {},
                                                           const Progress& progress = {});

}  // namespace p2
