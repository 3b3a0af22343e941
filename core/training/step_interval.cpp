// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/step_interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "training/detail/constants.h"
#include "training/step_estimate.h"

namespace p2::inline training {
namespace {

/// Standard deviation of ln(measured / predicted), of runs whose source was held out of the fit, with experts and
/// without; tst_training_runs asks what share of them the intervals contain.
constexpr double kSpread = 0.13;
/// Beyond these, added as squares: the generation has no runs, or runs of one or two publishers.
constexpr double kUnknownGeneration = 0.22;
constexpr double kFewPublishers = 0.12;
/// Beyond these, too: all runs of DeepSpeed's ZeRO 3 are one publisher's.
constexpr double kShardedDeepSpeed = 0.2;
/// Beyond these, too: startsDispatchFromHost(). 53 runs of two publishers, held out by source, ask for it.
constexpr double kHostDispatch = 0.09;
constexpr double kEighty = 1.2816;  // standard deviations that hold 80 %

/// Generations with runs of three publishers or more.
constexpr std::array<std::string_view, 3> kWellKnown{"A100", "B200", "H100"};

double spreadOf(const ModelShape& model, const TrainingConfiguration& configuration,
                const TrainingAccelerator& accelerator) {
  double spread = kSpread;
  const std::string key = "products:" + accelerator.generation + ":" + std::string(nameOf(configuration.precision));
  if (trainingConstants().find(key) < 0) {
    spread = std::hypot(spread, kUnknownGeneration);
  } else if (!isWellKnown(accelerator.generation)) {
    spread = std::hypot(spread, kFewPublishers);
  }
  // Runs of mixtures are Megatron-Core's.
  if (model.experts > 0 && configuration.family != FrameworkFamily::MegatronCore) {
    spread = std::hypot(spread, kFewPublishers);
  }
  if (startsDispatchFromHost(model, configuration)) spread = std::hypot(spread, kHostDispatch);
  const bool sharded = configuration.family == FrameworkFamily::DeepSpeed && configuration.plan.zero == 3;
  return sharded ? std::hypot(spread, kShardedDeepSpeed) : spread;
}

}  // namespace

bool isWellKnown(std::string_view generation) {
  return std::find(kWellKnown.begin(), kWellKnown.end(), generation) != kWellKnown.end();
}

bool startsDispatchFromHost(const ModelShape& model, const TrainingConfiguration& configuration) {
  const bool oneGraph = configuration.graphs == GraphScope::All;
  return model.experts > 0 && configuration.plan.expert > 1 && configuration.family == FrameworkFamily::MegatronCore &&
         (configuration.dispatch == ExpertDispatch::AllToAll || (configuration.plan.expertOverlap && !oneGraph));
}

StepInterval intervalOf(const ModelShape& model, const TrainingConfiguration& configuration,
                        const TrainingAccelerator& accelerator) {
  const double spread = spreadOf(model, configuration, accelerator);
  return {std::exp(-kEighty * spread), std::exp(kEighty * spread)};
}

}  // namespace p2::inline training
