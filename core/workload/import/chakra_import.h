// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include <stop_token>

#include "base/progress.h"
#include "workload/import/byte_source.h"
#include "workload/import/file_kind.h"
#include "workload/import/readers.h"

namespace p2::inline workload {

/// One rank's execution trace as one step. `groups` is its comm_group.json, empty where there is none; a trace of
/// PyTorch names its groups itself. An AllGather's comm_size is the part that a rank gives, as ASTRA-sim takes it.
/// Errors: breaks off, damaged (with the node), unknown ranks of a collective; cancelled.
[[nodiscard]] Result<WorkloadSource> readChakra(ByteSource& source, FileKind kind, const NamedJson& groups,
                                                const std::stop_token& stop, const Progress& progress);

}  // namespace p2::inline workload
