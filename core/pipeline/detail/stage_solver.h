// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/detail/stage_answer.h"

namespace p2::inline pipeline {

/// The result of a search for the strategy of a stage.
struct StageSearch {
  std::shared_ptr<const StageAnswer> answer;  ///< null if none fits or is cheap enough
  double lowerBound = 0;                      ///< nothing costs less; infinite where nothing fits
  std::size_t solved = 0;                     ///< meshes
};

/// Limits of a stage on top of its graph.
struct StageRequest {
  std::int64_t inFlight = 1;  ///< passes whose activations it holds at once
  MappedLimits limits = {};   ///< no pins
  SolveOptions solving = {};  ///< strategies that cost `wantedBelow` or more are of no use
  /// Per mesh of the setting a lower bound of the cost; empty where unknown.
  std::vector<double> bounds = {};
  std::vector<Mesh> meshes = {};  ///< instead of the setting's
};

/// Minimises the cost of a stage in all slots, over all meshes and all assignments on them whose memory fits. Tensors
/// that enter or leave a stage are cut evenly over all its devices where their dimensions allow, and every device sends
/// its part: forward at the end of the stage, and its gradient back; devices that hold the same part send it each. The
/// tensor that enters is held as long as the stage's own activations. Errors: cancelled, errors of the solvers and of
/// the pricer.
[[nodiscard]] Result<StageSearch> solveStage(const StageGraph& stage, const PipelineSetting& setting,
                                             PipelinePricer& pricer, const StageRequest& request,
                                             const std::stop_token& stop = {});

}  // namespace p2::inline pipeline
