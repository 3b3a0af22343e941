// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/pipeline_solver.h"
#include "workload/sources.h"

namespace p2::inline pipeline {

/// Communication of the slowest stage of a pipeline in a step, over the axes of its mesh and an axis of stages, along
/// which its sends are messages to the next stage. Transfers of every pass count once per microbatch; the workload has
/// no bubble. Errors: nothing is communicated.
[[nodiscard]] Result<WorkloadSource> workloadOf(const PipelineChain& chain, const Pipeline& pipeline);

}  // namespace p2::inline pipeline
