// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "mapping/strategy_plan.h"
#include "pipeline/detail/pipeline.h"

namespace p2::inline pipeline {

/// A pipeline as a file (p2-strategy) that strategyPlanFromJson() reads: the devices of the stages, their operators and
/// meshes, and the split of every operator. One stage is a strategy like any other.
[[nodiscard]] std::string pipelineToJson(const ComputationGraph& graph, const Pipeline& pipeline);

/// The pipeline of a plan with stages, priced with the options' passes as microbatches. It need not fit the memory:
/// Pipeline::fits. The cuts of its ends are found as in solveStage(). Errors: a number of parts that does not divide a
/// level, a mesh that does not fill a stage, stages that do not follow each other in the chain or that are cut where
/// more than one tensor passes, a configuration outside of the options' space, errors of solveStage().
[[nodiscard]] Result<Pipeline> pipelineOfPlan(const PipelineChain& chain, GraphCostOptions options,
                                              const System& system, PipelinePricer& pricer, const StrategyPlan& plan,
                                              std::stop_token stop = {});

}  // namespace p2::inline pipeline
