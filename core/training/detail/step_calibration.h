// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "training/step_estimate.h"

namespace p2::inline training {

/// Parts of a step whose predictions are wrong together on a machine: its kernels, its host, its network, its schedule.
enum class CalibratedPart { Computation, Host, Communication, Bubble };
inline constexpr std::array<std::string_view, 4> kCalibratedParts{"computation", "host", "communication", "bubble"};
using PartShares = std::array<double, kCalibratedParts.size()>;

/// Shares of the parts in a predicted step; they sum to 1.
[[nodiscard]] PartShares partShares(const StepEstimate& estimate);

/// A step of one configuration, as predicted without calibration and as measured; both in seconds, above 0.
struct MeasuredStep {
  double predicted = 0;
  double measured = 0;
  PartShares shares{};  ///< of `predicted`
};

/// The factors of the parts of predictions for a machine on which steps were measured.
struct StepCalibration {
  PartShares factors{1, 1, 1, 1};
  std::size_t runs = 0;
  friend bool operator==(const StepCalibration&, const StepCalibration&) = default;
};

/// Least squares of ln(measured / predicted) by the shares of the parts, under a pseudo-Huber loss, with a prior that
/// shrinks: a single run says little, several that agree fix the machine, and runs of different configurations tell
/// slow kernels from a slow network. Of no runs all factors are 1. O(runs).
[[nodiscard]] StepCalibration calibrationOf(std::span<const MeasuredStep> steps);

/// The seconds of a prediction under a calibration.
[[nodiscard]] double calibratedSeconds(const MeasuredStep& step, const StepCalibration& calibration);
/// Median of |ln(calibrated / measured)| where each step is predicted from the others alone; 0 for less than two.
[[nodiscard]] double leftOutError(std::span<const MeasuredStep> steps);

/// The smallest factor: a calibrated step takes at least that share of the prediction.
[[nodiscard]] double leastFactor(const StepCalibration& calibration);

/// The estimate with its parts multiplied, never below the peak; its interval becomes narrower with the runs, but not
/// below 4 %, by which repeated measurements of one configuration differ.
[[nodiscard]] StepEstimate calibrated(StepEstimate estimate, const StepCalibration& calibration);

}  // namespace p2::inline training
