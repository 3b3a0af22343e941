// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "mapping/strategy_plan.h"
#include "pipeline/pipeline.h"

namespace p2 {

/// A pipeline as a file (p2-strategy) that strategyPlanFromJson() reads: how devices are assigned to the stages, their
/// operators and meshes, and what every operator does. One stage is a strategy like any other.
[[nodiscard]] std::string pipelineToJson(const ComputationGraph& graph, const Pipeline& pipeline);

/// The pipeline that a plan with stages says, priced with the options' passes as microbatches; whether it fits the
/// memory is said, not asked. How its ends are cut is found as in solveStage(). Errors: a number of parts that does not
/// divide a level, a mesh that does not fill a stage, stages that are not one after the other in the chain or that are
/// cut where more than one tensor passes, a configuration outside of the options' space, and those of solveStage().
[[nodiscard]] Result<Pipeline> pipelineOfPlan(const PipelineChain& chain, GraphCostOptions options,
                                              const System& system, PipelinePricer& pricer, const StrategyPlan& plan,
                                              std::stop_token stop = {});

}  // namespace p2
