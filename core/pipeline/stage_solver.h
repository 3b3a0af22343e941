// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/stage_answer.h"

namespace p2 {

/// What is known after looking for one.
struct StageSearch {
  std::shared_ptr<const StageAnswer> answer;  ///< nothing if none fits or is cheap enough
  double lowerBound = 0;                      ///< nothing costs less; infinite where nothing fits
  std::size_t solved = 0;                     ///< meshes
};

/// What limits a stage besides its graph.
struct StageRequest {
  std::int64_t inFlight = 1;  ///< passes whose activations it holds at once
  MappedLimits limits = {};   ///< no pins
  SolveOptions solving = {};  ///< strategies that cost `wantedBelow` or more are of no use
  /// Per mesh of the setting what nothing on it costs less than; empty where nobody knows.
  std::vector<double> bounds = {};
  std::vector<Mesh> meshes = {};  ///< instead of the setting's
};

/// Minimises what a stage takes in all slots, over all meshes and all assignments on them whose memory fits. What comes
/// in and goes out is cut evenly over all devices of a stage where its dimensions allow, and every device sends its
/// part: forward at the end of the stage, and its gradient back to where it came from; devices that hold the same send
/// it each. What comes in is held as long as the stage's own activations. Errors: cancelled, those of the solvers and
/// the pricer.
[[nodiscard]] Result<StageSearch> solveStage(const StageGraph& stage, const PipelineSetting& setting,
                                             PipelinePricer& pricer, const StageRequest& request,
                                             const std::stop_token& stop = {});

}  // namespace p2
