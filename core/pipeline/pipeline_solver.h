// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/progress.h"
#include "pipeline/pipeline.h"
#include "pipeline/stage_solver.h"

namespace p2 {

/// What is asked of solvePipeline().
struct PipelineRequest {
  std::optional<std::int64_t> stages = {};  ///< nothing: the best of all divisors of the devices
  SolveOptions solving = {};                ///< one strategy, without pins
};

/// Minimises the step of a pipeline over the numbers of stages that are asked for, over all ways to deal the devices to
/// them in equal parts of every level (stageFactorsOf()), over all cuts of the chain into contiguous stages at places
/// that one tensor at most passes, and in every stage over one mesh and all assignments on it whose memory fits, with
/// as many passes in flight as 1F1B holds there (inFlight()).
///
/// A stage costs microbatchSlots() slots of its own, computing, communicating and sending, and what it does once a
/// step; a pipeline what its most expensive stage costs. The passes of the options are the microbatches. Stages of
/// alike pieces are solved once. The cuts come from a dynamic program over bounds (StageBounds), in which those that
/// the best cuts need are replaced by what solving the stage says until the best cuts need none: so the answer is
/// proven wherever every stage's is. One stage is solveMapped().
///
/// Errors: a number of stages that does not divide the devices or that the graph cannot be cut into, nothing that fits
/// (says what the least needs), cancelled, those of solveStage().
[[nodiscard]] Result<Pipeline> solvePipeline(const PipelineChain& chain, const GraphCostOptions& options,
                                             const System& system, PipelinePricer& pricer,
                                             const PipelineRequest& request, std::stop_token stop = {},
                                             const Progress& progress = {});

/// The pipeline of given cuts (PipelineChain::evenCuts()) under limits, on the best of some meshes of a stage. Errors:
/// those of solvePipeline().
[[nodiscard]] Result<Pipeline> pipelineOf(const PipelineChain& chain, const PipelineSetting& setting,
                                          const std::vector<std::size_t>& cuts, PipelinePricer& pricer,
                                          const StageRequest& request, std::stop_token stop = {});

}  // namespace p2
