// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/workload/import.
#pragma once

#include "workload/import/kineto_trace.h"
#include "workload/sources.h"

namespace p2::inline workload {

/// The workload of a step as one rank saw it. Axes come from the ranks of the process groups (RankMesh), bytes from
/// elements and types, brought to the full tensor; the overlap of an entry is the share of its kernels' time in which
/// the GPU also computed. Errors: the trace does not say what its collectives move, or nothing of it can be placed.
[[nodiscard]] Result<WorkloadSource> workloadOfTrace(const KinetoTrace& trace);

}  // namespace p2::inline workload
