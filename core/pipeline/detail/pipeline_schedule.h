// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace p2::inline pipeline {

/// Seconds of a pipeline stage for one microbatch, with the sends to its neighbours afterwards.
struct StageTimes {
  double forward = 0;
  double backward = 0;
  double once = 0;  ///< after the last microbatch: sums of gradients
  [[nodiscard]] double slot() const { return forward + backward; }
};

/// Forward passes whose activations stage `stage`, counted from 0, holds at once under 1F1B: as many as there are
/// stages from it on, and no more than microbatches.
[[nodiscard]] std::int64_t inFlight(std::int64_t stage, std::int64_t stages, std::int64_t microbatches);

/// Slots of a step, microbatches + stages − 1: every stage works in `microbatches` of them and waits in the others: the
/// bubble, (stages − 1) / microbatches of its work (Narayanan et al., SC 2021, §2.2).
[[nodiscard]] std::int64_t microbatchSlots(std::int64_t stages, std::int64_t microbatches);

/// A pass of a stage that begins at `start`.
struct PipelineCell {
  enum class Kind { Forward, Backward, Once };
  Kind kind = Kind::Forward;
  std::int64_t microbatch = 0;  ///< counted from 0; of Once the last
  double start = 0;
  double seconds = 0;
  friend bool operator==(const PipelineCell&, const PipelineCell&) = default;
};

/// A played step: the passes of every stage in order, and the end of the last of them.
struct PipelineSchedule {
  std::vector<std::vector<PipelineCell>> stages;
  double seconds = 0;
  /// Seconds of the step in which a stage waits.
  [[nodiscard]] double idleSeconds(std::size_t stage) const;
};

/// Largest number of passes of all stages together that are played.
inline constexpr std::int64_t kMostScheduledCells = std::int64_t{1} << 22;

/// One forward, one backward (1F1B, PipeDream-flush): every stage begins with inFlight() forward passes, then takes
/// turns, and a pass begins once the stage is free and its neighbour has sent its input. Without what happens once
/// it never takes longer than microbatchSlots() slots of the slowest stage. Empty for more than
/// kMostScheduledCells cells. O(stages · microbatches).
[[nodiscard]] std::optional<PipelineSchedule> scheduleOf(const std::vector<StageTimes>& stages,
                                                         std::int64_t microbatches);
/// Seconds of scheduleOf(). A schedule with too many cells to play takes its upper bound, microbatchSlots() slots of
/// the slowest stage plus the longest `once`.
[[nodiscard]] double playedSeconds(const std::vector<StageTimes>& stages, std::int64_t microbatches);
/// A lower bound of playedSeconds() where microbatchSlots() slots and `once` of some stage take at least `seconds`: the
/// stage works through `microbatches` slots. O(1).
[[nodiscard]] double leastPlayed(double seconds, std::int64_t stages, std::int64_t microbatches);
/// Another where a slot of stage `stage` takes `slot` seconds and one slot of each stage takes `sum`. The first
/// backward pass of the stage waits until its microbatch has been through all later stages, and only inFlight() forward
/// passes may come before it; in reverse this holds for the last forward pass. O(1).
[[nodiscard]] double leastPlayed(double slot, double sum, std::int64_t stage, std::int64_t stages,
                                 std::int64_t microbatches);

}  // namespace p2::inline pipeline
