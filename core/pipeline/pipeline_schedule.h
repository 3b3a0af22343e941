// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace p2 {

/// What a stage of a pipeline takes of one microbatch, in seconds, with what it sends to its neighbours afterwards.
struct StageTimes {
  double forward = 0;
  double backward = 0;
  double once = 0;  ///< after the last microbatch: sums of gradients
  [[nodiscard]] double slot() const { return forward + backward; }
};

/// Forward passes whose activations stage `stage`, counted from 0, holds at once under 1F1B: as many as there are
/// stages from it on, and no more than microbatches.
[[nodiscard]] std::int64_t inFlight(std::int64_t stage, std::int64_t stages, std::int64_t microbatches);

/// Slots of a step, microbatches + stages − 1: every stage waits through all but one for each microbatch, the bubble
/// (stages − 1) / microbatches of what it works (Narayanan et al., SC 2021, §2.2).
[[nodiscard]] std::int64_t microbatchSlots(std::int64_t stages, std::int64_t microbatches);

/// What a stage does from `start` on.
struct PipelineCell {
  enum class Kind { Forward, Backward, Once };
  Kind kind = Kind::Forward;
  std::int64_t microbatch = 0;  ///< counted from 0; of Once the last
  double start = 0;
  double seconds = 0;
  friend bool operator==(const PipelineCell&, const PipelineCell&) = default;
};

/// A step played: per stage what it does, in order, and when the last of them is done.
struct PipelineSchedule {
  std::vector<std::vector<PipelineCell>> stages;
  double seconds = 0;
  /// Of a stage until the end, without its own work.
  [[nodiscard]] double idleSeconds(std::size_t stage) const;
};

/// Most passes of all stages together that are played.
inline constexpr std::int64_t kMostScheduledCells = std::int64_t{1} << 22;

/// One forward, one backward (1F1B, PipeDream-flush): every stage begins with inFlight() forward passes, then takes
/// turns, and a pass begins once the stage is free and its neighbour has sent what it needs. Without what happens once
/// it never takes longer than microbatchSlots() slots of the slowest stage. Nothing if there are more than
/// kMostScheduledCells cells. O(stages · microbatches).
[[nodiscard]] std::optional<PipelineSchedule> scheduleOf(const std::vector<StageTimes>& stages,
                                                         std::int64_t microbatches);

}  // namespace p2
