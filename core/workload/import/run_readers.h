// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import: one reader for each kind of file of a run.
#pragma once

#include "workload/import/byte_source.h"
#include "workload/import/run_trace.h"

namespace p2::inline workload {

[[nodiscard]] Result<std::vector<RunTrace>> readKinetoRun(ByteSource& source, const std::stop_token& stop);
[[nodiscard]] Result<std::vector<RunTrace>> readInspectorRun(ByteSource& source, const std::stop_token& stop);
[[nodiscard]] Result<std::vector<RunTrace>> readNsightRun(const std::string& path, const std::stop_token& stop);

}  // namespace p2::inline workload
