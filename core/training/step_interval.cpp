// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/step_interval.h"

#include <cmath>

#include "training/detail/constants.h"

namespace p2::inline training {
namespace {

/// Standard deviations of ln(measured / predicted), of runs whose source was held out of the fit; tst_training_runs
/// asks what share of them the intervals contain.
constexpr double kDenseSpread = 0.135;
constexpr double kExpertSpread = 0.2;
constexpr double kUnknownGeneration = 0.22;  // beyond those
constexpr double kEighty = 1.2816;           // standard deviations that hold 80 %

}  // namespace

StepInterval intervalOf(const ModelShape& model, const TrainingConfiguration& configuration,
                        const TrainingAccelerator& accelerator) {
  double spread = model.experts > 0 ? kExpertSpread : kDenseSpread;
  const std::string key = "products:" + accelerator.generation + ":" + std::string(nameOf(configuration.precision));
  if (trainingConstants().find(key) < 0) spread = std::hypot(spread, kUnknownGeneration);
  return {std::exp(-kEighty * spread), std::exp(kEighty * spread)};
}

}  // namespace p2::inline training
