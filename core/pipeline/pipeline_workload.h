// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/pipeline_solver.h"
#include "workload/sources.h"

namespace p2 {

/// What the slowest stage of a pipeline communicates in a step, over the axes of its mesh and one of the stages: what
/// it sends forward and back are messages to the next along that one. What happens in every pass counts once per
/// microbatch; that stages wait in the other slots is left out. Errors: nothing is communicated.
[[nodiscard]] Result<WorkloadSource> workloadOf(const PipelineChain& chain, const Pipeline& pipeline);

}  // namespace p2
