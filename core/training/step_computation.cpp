// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/step_computation.h"

#include "training/accelerator_data.h"
#include "training/detail/communication.h"
#include "training/step_estimate.h"

namespace p2::inline training {
namespace {

/// The configuration of a plan in the framework family that most plans are of.
TrainingConfiguration configurationOf(const TrainedStep& training) {
  TrainingConfiguration configuration;
  configuration.plan = training.plan;
  configuration.recomputation = training.plan.recompute ? RecomputeKind::Full : RecomputeKind::None;
  return configuration;
}

}  // namespace

std::optional<double> estimatedComputation(const Workload& workload, const System& system) {
  if (!workload.training || devicesOf(workload.training->plan) != system.deviceCount()) return std::nullopt;
  const auto accelerator = trainingAcceleratorOf(system);
  if (!accelerator.ok()) return std::nullopt;
  const auto step =
      estimateStep(workload.training->model, configurationOf(*workload.training), *accelerator, NoCommunication());
  if (!step.ok()) return std::nullopt;
  return step->parts.compute + step->parts.inefficiency + step->parts.recompute;
}

StepQuestion withComputation(StepQuestion question) {
  const bool isKnown = question.step.computeSeconds || question.workload.computeSeconds;
  if (!isKnown && !otherDegrees(question)) {
    question.step.computeSeconds = estimatedComputation(question.workload, question.system);
    question.step.estimated = question.step.computeSeconds.has_value();
  }
  return question;
}

}  // namespace p2::inline training
