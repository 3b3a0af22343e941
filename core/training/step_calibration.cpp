// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/step_calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "cost/calibration/bounded_least_squares.h"

namespace p2::inline training {
namespace {

constexpr std::size_t kParts = kCalibratedParts.size();
/// Standard deviations of the logarithms of the parts' factors before any run, and of a factor that all share: together
/// some .1, as far as tables of public runs are off in the mean when they are held out. Hosts differ by 1.5 in their
/// launches, networks by 1.35, large products by a twelfth.
constexpr PartShares kSpreads{.08, .4, .3, .2};
constexpr double kSharedSpread = .05;
constexpr double kRunSpread = .1;          // a configuration's own error on its machine, .09 in those tables
constexpr double kPredictionsWorth = 1.5;  // runs that the interval's prediction is worth
constexpr double kRepeats = .04;           // repeated runs of one configuration, on other nodes and days
constexpr int kReweightings = 4;
constexpr double kMostSpreads = 3;

double sharedSum(const StepParts& parts) { return std::accumulate(parts.exposed.begin(), parts.exposed.end(), 0.0); }

}  // namespace

PartShares partShares(const StepEstimate& estimate) {
  const StepParts& parts = estimate.parts;
  const double sum = parts.sum();
  return {(parts.compute + parts.inefficiency + parts.recompute + parts.imbalance + parts.optimizer) / sum,
          parts.host / sum, sharedSum(parts) / sum, parts.bubble / sum};
}

StepCalibration calibrationOf(std::span<const MeasuredStep> steps) {
  StepCalibration made;
  std::vector<double> way(kParts + 1, 0);
  std::vector<double> most(kParts + 1, kMostSpreads * kSharedSpread);
  std::copy(kSpreads.begin(), kSpreads.end(), most.begin());
  for (std::size_t k = 0; k < kParts; ++k) most[k] *= kMostSpreads;
  std::vector<double> least(most);
  for (double& each : least) each = -each;
  for (int round = 0; round < kReweightings; ++round) {
    BoundedLeastSquares squares(kParts + 1);
    made.runs = 0;
    for (const MeasuredStep& step : steps) {
      if (!(step.predicted > 0) || !(step.measured > 0)) continue;
      ++made.runs;
      std::vector<double> row(step.shares.begin(), step.shares.end());
      row.push_back(1);
      const double target = std::log(step.measured / step.predicted);
      const double error = (target - std::inner_product(row.begin(), row.end(), way.begin(), 0.0)) / kRunSpread;
      squares.addRow(row, target, 1 / (kRunSpread * kRunSpread * std::sqrt(1 + error * error)));
    }
    for (std::size_t k = 0; k < kParts; ++k) squares.pull(k, 0, 1 / (kSpreads[k] * kSpreads[k]));
    squares.pull(kParts, 0, 1 / (kSharedSpread * kSharedSpread));
    way = squares.minimum(way, least, most);
  }
  if (made.runs == 0) return {};
  for (std::size_t k = 0; k < kParts; ++k) made.factors[k] = std::exp(way[k] + way[kParts]);
  return made;
}

double calibratedSeconds(const MeasuredStep& step, const StepCalibration& calibration) {
  if (calibration.runs == 0) return step.predicted;
  return step.predicted * std::inner_product(step.shares.begin(), step.shares.end(), calibration.factors.begin(), 0.0);
}

double leftOutError(std::span<const MeasuredStep> steps) {
  if (steps.size() < 2) return 0;
  std::vector<double> errors;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::vector<MeasuredStep> others(steps.begin(), steps.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    errors.push_back(std::abs(std::log(calibratedSeconds(steps[i], calibrationOf(others)) / steps[i].measured)));
  }
  std::sort(errors.begin(), errors.end());
  const std::size_t half = errors.size() / 2;
  return errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
}

double leastFactor(const StepCalibration& calibration) {
  return *std::min_element(calibration.factors.begin(), calibration.factors.end());
}

StepEstimate calibrated(StepEstimate estimate, const StepCalibration& calibration) {
  if (calibration.runs == 0) return estimate;
  const double before = estimate.seconds;
  const auto factor = [&](CalibratedPart part) { return calibration.factors[static_cast<std::size_t>(part)]; };
  StepParts& parts = estimate.parts;
  const double kernels = factor(CalibratedPart::Computation);
  // The time at the peak does not change: a slower machine is less efficient.
  parts.inefficiency = std::max(0.0, (parts.compute + parts.inefficiency) * kernels - parts.compute);
  for (double* part : {&parts.recompute, &parts.imbalance, &parts.optimizer}) *part *= kernels;
  parts.host *= factor(CalibratedPart::Host);
  parts.bubble *= factor(CalibratedPart::Bubble);
  for (double& exposed : parts.exposed) exposed *= factor(CalibratedPart::Communication);
  estimate.seconds = parts.sum();
  const double ratio = estimate.seconds / before;
  const auto runs = static_cast<double>(calibration.runs);
  // Half of the spread is the machine's, which runs take away; the other half is the configuration's.
  const double left = (1 + kPredictionsWorth / (kPredictionsWorth + runs)) / 2;
  const auto narrowed = [&](double end) {
    const double wide = std::log(end / before) * left;
    return estimate.seconds * std::exp(std::copysign(std::max(std::abs(wide), kRepeats), wide));
  };
  estimate.low = narrowed(estimate.low);
  estimate.high = narrowed(estimate.high);
  estimate.mfu /= ratio;
  estimate.tokensPerSecond /= ratio;
  return estimate;
}

}  // namespace p2::inline training
