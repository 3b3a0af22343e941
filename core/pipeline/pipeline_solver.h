// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/progress.h"
#include "pipeline/detail/pipeline.h"
#include "pipeline/detail/stage_solver.h"

namespace p2::inline pipeline {

/// The question of solvePipeline().
struct PipelineRequest {
  std::optional<std::int64_t> stages = {};  ///< nothing: the best of all divisors of the devices
  SolveOptions solving = {};                ///< one strategy, without pins
};

/// Minimises the step of a pipeline as 1F1B plays it, over the numbers of stages that are asked for, over all divisions
/// of the devices in equal parts of every level (stageFactorsOf()), over cuts of the chain into contiguous stages at
/// places that one tensor at most passes, and in every stage over one mesh and all assignments on it whose memory fits,
/// with as many microbatches in flight as 1F1B holds there (inFlight()). The passes of the options are the
/// microbatches.
///
/// Every number of stages and every division whose bound allows it is played. Within one of them the search is a
/// heuristic with a proven bound: it starts from the cuts whose most expensive stage, in microbatchSlots() slots and
/// with its work once a step, is cheapest (proven: a dynamic program over StageBounds that solves the stages it needs),
/// and moves cuts by one piece while the played step becomes shorter. Strategies of stages minimise that cost of the
/// stage. One stage is solveMapped(), which is exact.
///
/// Errors: a number of stages that does not divide the devices or that the graph cannot be cut into, nothing fits
/// (with the least memory that would do), cancelled, errors of solveStage().
[[nodiscard]] Result<Pipeline> solvePipeline(const PipelineChain& chain, const GraphCostOptions& options,
                                             const System& system, PipelinePricer& pricer,
                                             const PipelineRequest& request, std::stop_token stop = {},
                                             const Progress& progress = {});

/// The pipeline of given cuts (PipelineChain::evenCuts()) under limits, on the best of some meshes of a stage. Errors
/// of solvePipeline().
[[nodiscard]] Result<Pipeline> pipelineOf(const PipelineChain& chain, const PipelineSetting& setting,
                                          const std::vector<std::size_t>& cuts, PipelinePricer& pricer,
                                          const StageRequest& request, std::stop_token stop = {});

}  // namespace p2::inline pipeline
