// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/run_timeline.h"
#include "timeline/step_timeline.h"

namespace p2::inline timeline {

/// Parts of the time of a recorded training step, in seconds, as the mean over ranks. Computation, exposed
/// communication and idle time sum to the step.
struct RecordedStep {
  std::int64_t steps = 1;  ///< that the files hold; 1 where they have no marks
  bool marked = false;     ///< whether the profiler's marks give the steps
  double seconds = 0;      ///< one step's length
  double computation = 0;  ///< during which kernels compute
  double exposed = 0;      ///< during which only communication runs
  double overlapped = 0;   ///< of communication during computation
  double idle = 0;         ///< without a kernel: launches, input, other waiting
};

/// The mean step of traces that have `marks` seconds of steps, in order; without marks the whole recording is one step.
/// A recording is at least as long as from its first kernel to its last. O(slices · log slices).
[[nodiscard]] RecordedStep recordedStepOf(const std::vector<RunTrace>& traces, const std::vector<double>& marks);

/// One part of a step, measured and predicted.
struct StepPart {
  std::string name;      ///< "exposed communication"
  double measured = 0;   ///< seconds
  double predicted = 0;  ///< seconds
};
/// The parts of a step in an order that sums to its first row, the step. The prediction counts recomputation and the
/// optimizer as computation; pipeline bubbles, imbalance and the host as idle.
[[nodiscard]] std::vector<StepPart> partsOf(const RecordedStep& recorded, const StepEstimate& estimate);

/// "computation takes 1.4× the prediction; …": what differs most; within kSlowFactor "as predicted".
[[nodiscard]] std::string describeParts(const std::vector<StepPart>& parts);

/// Adds the collectives of a planned step as predictions: of the same kind and number of devices, the closest size
/// within a factor of two, scaled to the measured bytes.
void addPredictions(std::vector<MeasuredCollective>& measured, const std::vector<StepCollective>& planned);

}  // namespace p2::inline timeline
