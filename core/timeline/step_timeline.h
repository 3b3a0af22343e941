// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/detail/step_collectives.h"
#include "timeline/timeline.h"
#include "training/pipeline_play.h"
#include "training/step_detail.h"

namespace p2::inline timeline {

/// The kind of the slices of an axis.
[[nodiscard]] SliceKind sliceKindOf(ExposedAxis axis);

/// A training step as its schedule is played: a track for every pipeline stage. Outer slices are passes, bubbles and
/// what happens once a step; inner slices share a pass among computation, recomputation and the communication that it
/// does not hide, added up over its layers. Of more than kMostSlices only the passes are kept; a note says so. O(stages
/// · chunks · microbatches).
[[nodiscard]] Timeline stepTimeline(const StepDetail& detail, const PlayedPipeline& played,
                                    const std::vector<StepCollective>& collectives);

/// The memory of one device of a stage over a step, in bytes.
struct MemoryCurve {
  struct Point {
    double time = 0;         ///< seconds; the value holds until the next point
    double activations = 0;  ///< kept for backward passes
  };
  TrainingMemory peak;        ///< peak of the fullest stage; its activations are the highest point
  double reserve = 0;         ///< bytes that are kept free
  double deviceMemory = 0;    ///< bytes of a device
  double seconds = 0;         ///< end of the step
  std::vector<Point> points;  ///< by time
  /// Bytes in use at a point: states, buffers and activations.
  [[nodiscard]] double totalAt(const Point& point) const;
};

/// Memory over time of the stage that holds most. Activations of a chunk's forward pass are held from its start to the
/// end of its backward pass, or of its pass for the weights; every pass in flight holds the same. O(passes · log
/// passes).
[[nodiscard]] MemoryCurve memoryOverTime(const PlayedPipeline& played, const TrainingMemory& peak, double seconds);

/// One step down from the time at the peak to the predicted time.
struct WaterfallBar {
  std::string name;
  SliceKind kind = SliceKind::Computation;
  double from = 0;  ///< seconds
  double to = 0;
  std::optional<ExposedAxis> axis;  ///< of exposed communication
  std::string meaning;              ///< one phrase
  double hidden = 0;                ///< seconds of the axis's communication behind computation, which no bar counts
};

/// Bars from the model's FLOP at the peak to the predicted step. Parts that are 0 are left out, except axes with hidden
/// communication; the last bar ends at StepEstimate::seconds. `hidden` and `losses`: the step's StepDetail has them; or
/// empty.
[[nodiscard]] std::vector<WaterfallBar> waterfallOf(const StepEstimate& estimate,
                                                    const std::array<double, kExposedAxes.size()>& hidden = {},
                                                    const KernelLosses& losses = {});

/// "4.10 s in attention; 2.90 s in FSDP's copies of parameters and gradients": the causes of
/// `inefficiency` seconds, the largest first, without those below a hundredth; empty without any.
[[nodiscard]] std::string describeLosses(const KernelLosses& losses, double inefficiency);

/// Everything about where the time of one configuration goes.
struct StepStudy {
  PlannedConfiguration planned;
  PricedPlacement placement;
  StepDetail detail;
  std::vector<StepCollective> collectives;
  Timeline timeline;
  MemoryCurve memory;
};
/// Errors: as detailStep(), pricedPlacementOf() and stepCollectives(); cancelled.
[[nodiscard]] Result<StepStudy> studyStep(const TrainingQuestion& question, const PlannedConfiguration& planned,
                                          double reserve, std::stop_token stop = {});

/// Adds counters to the step's timeline, for its trace, with a note: memory in use on a device of the fullest stage, in
/// GB, and for each stage and axis the load of the busiest link during exposed communication, in GB/s as nccl-tests'
/// bus bandwidth of the axis's main collective. Overlapped communication has no place in the timeline and is not
/// counted. At most kMostLinkCounters: of more, the memory and the loads with the highest peaks. O(slices).
void addCounters(StepStudy& study);

}  // namespace p2::inline timeline
