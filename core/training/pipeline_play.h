// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "training/detail/configuration.h"

namespace p2::inline training {

class PlayedSchedules;

/// Times of a stage for one microbatch and one of its chunks, in seconds.
struct StageWork {
  double forward = 0;
  double backward = 0;  ///< the gradient of the input, with its recomputation
  double weights = 0;   ///< the gradient of the weights, which zero-bubble schedules may put off
  [[nodiscard]] double slot() const { return forward + backward + weights; }
  friend bool operator==(const StageWork&, const StageWork&) = default;
};

/// One pass as it was played.
struct PlayedPass {
  enum class Kind { Forward, Backward, Weights };
  Kind kind = Kind::Forward;
  std::int64_t chunk = 0;
  std::int64_t microbatch = 0;
  double start = 0;
  double seconds = 0;
};

/// A pipeline's step.
struct PlayedPipeline {
  double seconds = 0;
  std::vector<std::vector<PlayedPass>> stages;  ///< in their order in time
  std::vector<std::int64_t> inFlight;  ///< by stage, most chunks' forward passes whose activations are held at once
};

/// Plays a step. `work[stage][chunk]`; a message between stages keeps neither busy and arrives `delay` seconds later.
/// Orders of GPipe and 1F1B, interleaved with several chunks, are Megatron-LM's, and PyTorch's where the microbatches
/// do not divide by the stages; the others are the best of three greedy orders with the activations in flight that
/// their papers allow, and of the order that the papers of ZB-H1, ZB-V and DualPipe give. With DualPipe chunk 0 belongs
/// to microbatches from the first stage on, chunk 1 to those from the last; a stage does the work of its position in
/// either direction, and half of the microbatches take each way. O(stages · chunks · microbatches · log).
[[nodiscard]] PlayedPipeline playPipeline(ScheduleKind kind, const std::vector<std::vector<StageWork>>& work,
                                          std::int64_t microbatches, double delay);

/// The seconds of playPipeline() alone. Of many microbatches the first ones are played until they repeat, and that
/// steady state is carried on; orders of zero-bubble schedules, which do not repeat exactly, after a few of them.
/// O(stages² · chunks); with several chunks and a number of microbatches that does not divide by the stages, all are
/// played. If the step takes longer than `most`, the result is any lower bound above it. `known`: plays without delay
/// that were asked for before.
[[nodiscard]] double pipelineSeconds(ScheduleKind kind, const std::vector<std::vector<StageWork>>& work,
                                     std::int64_t microbatches, double delay,
                                     double most = std::numeric_limits<double>::infinity(),
                                     PlayedSchedules* known = nullptr);

/// Seconds that no order of these passes can beat: a stage is at work for all microbatches; with GPipe and 1F1B it also
/// waits until the first one has come forward through the stages before it, and these take the last one back after it.
/// O(stages · chunks).
[[nodiscard]] double pipelineLowerBound(ScheduleKind kind, const std::vector<std::vector<StageWork>>& work,
                                        std::int64_t microbatches);

}  // namespace p2::inline training
