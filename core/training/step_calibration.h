// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "training/step_estimate.h"

namespace p2 {

/// A step of one configuration, as predicted without calibration and as measured; both in seconds, above 0.
struct MeasuredStep {
  double predicted = 0;
  double measured = 0;
};

/// The factor for predictions of a machine on which steps were measured.
struct StepCalibration {
  double factor = 1;
  std::size_t runs = 0;
};

/// The median of measured / predicted, shrunk to its power n/(n + 1.5) of n runs: most of a single run's deviation is
/// its own, what several agree on is the machine's. Of no runs 1. O(n log n).
[[nodiscard]] StepCalibration calibrationOf(std::span<const MeasuredStep> steps);

/// The estimate with all of its seconds multiplied; its interval becomes narrower with the runs, but never narrower
/// than what measurements of one configuration differ by, 4 %.
[[nodiscard]] StepEstimate calibrated(StepEstimate estimate, const StepCalibration& calibration);

}  // namespace p2
