// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/step_calibration.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace p2 {
namespace {

constexpr double kShrinkage = 1.5;  // runs' worth of the prediction as it is
constexpr double kRepeats = 0.04;   // of one configuration, on other nodes and days

}  // namespace

StepCalibration calibrationOf(std::span<const MeasuredStep> steps) {
  std::vector<double> ratios;
  for (const MeasuredStep& step : steps) {
    if (step.predicted > 0 && step.measured > 0) ratios.push_back(std::log(step.measured / step.predicted));
  }
  if (ratios.empty()) return {};
  std::sort(ratios.begin(), ratios.end());
  const std::size_t half = ratios.size() / 2;
  const double median = ratios.size() % 2 == 1 ? ratios[half] : (ratios[half - 1] + ratios[half]) / 2;
  const auto count = static_cast<double>(ratios.size());
  return {std::exp(median * count / (count + kShrinkage)), ratios.size()};
}

StepEstimate calibrated(StepEstimate estimate, const StepCalibration& calibration) {
  const double factor = calibration.factor;
  const auto runs = static_cast<double>(calibration.runs);
  // Half of the spread is the machine's, which runs take away; the other half is the configuration's.
  const double left = (1 + kShrinkage / (kShrinkage + runs)) / 2;
  const auto narrowed = [&](double end) {
    const double wide = std::log(end / estimate.seconds) * left;
    return estimate.seconds * factor * std::exp(std::copysign(std::max(std::abs(wide), kRepeats), wide));
  };
  estimate.low = narrowed(estimate.low);
  estimate.high = narrowed(estimate.high);
  estimate.seconds *= factor;
  estimate.mfu /= factor;
  estimate.tokensPerSecond /= factor;
  StepParts& parts = estimate.parts;
  // The time at the peak does not change: a slower machine is less efficient.
  const double compute = parts.compute;
  for (double* part : {&parts.compute, &parts.inefficiency, &parts.recompute, &parts.bubble, &parts.imbalance,
                       &parts.optimizer, &parts.host}) {
    *part *= factor;
  }
  for (double& exposed : parts.exposed) exposed *= factor;
  parts.inefficiency += parts.compute - compute;
  parts.compute = compute;
  return estimate;
}

}  // namespace p2
