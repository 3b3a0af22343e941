// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/pipeline_solver.h"
#include "workload/sources.h"

namespace p2 {

/// What the slowest stage of a pipeline communicates in a step, over the axes of its mesh and that of the stages: what
/// it sends on forward and back are messages to the next along that axis. Of one pass as often as there are
/// microbatches: what slots wait for is left out. Errors: nothing is communicated.
[[nodiscard]] Result<WorkloadSource> workloadOf(const PipelineChain& chain, const Pipeline& pipeline);

}  // namespace p2
