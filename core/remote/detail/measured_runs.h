// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/remote: runs of plans that were exported as JSON.
#pragma once

#include <string>

#include "remote/measured_files.h"
#include "text/json_document.h"

namespace p2::inline remote {

/// Whether a document is a list of runs, or one run of a plan.
[[nodiscard]] bool holdsMeasuredRuns(const Json& json);
/// Adds the runs of plans for the system to `files`, with a note under `name` on the runs that are used and on the
/// others.
void readMeasuredRuns(const Json& json, const std::string& name, const System& system, MeasuredFiles& files);

}  // namespace p2::inline remote
