// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload/generate/refit.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/counted.h"
#include "base/numbers.h"
#include "placement/framework_axes.h"
#include "workload/axis_names.h"
#include "workload/generate/generator.h"

namespace p2::inline workload {
namespace {

bool haveSameSizes(const std::vector<Axis>& a, const std::vector<Axis>& b) {
  return std::ranges::equal(
      a, b, [](const Axis& one, const Axis& other) { return one.name == other.name && one.size == other.size; });
}

}  // namespace

TrainedStep fittedTo(TrainedStep trained, std::int64_t devices) {
  const TrainingPlan published = trained.plan;
  TrainingPlan& plan = trained.plan;
  plan.devices = devices;
  const std::array<std::int64_t, 4> degrees{plan.tensor, plan.context, plan.pipeline, plan.data};
  if (checkedProduct(degrees) == devices) return trained;
  const auto others = checkedProduct(std::span(degrees).first(3));
  plan.data = others && *others > 0 && devices % *others == 0 ? devices / *others : 1;
  // The batch of a step stays where it can.
  const std::int64_t microbatches = resolved(published).microbatches;
  const auto perStep = checkedProduct(plan.microbatch, plan.data);
  const bool divides = perStep && *perStep > 0 && plan.globalBatch > 0 && plan.globalBatch % *perStep == 0;
  plan.microbatches = divides ? 0 : microbatches;
  if (!divides) plan.globalBatch = 0;
  if (plan.replicas > 0 && plan.data % plan.replicas != 0) plan.replicas = 1;
  return trained;
}

bool isAsGenerated(const Workload& workload) {
  if (!workload.training) return false;
  const auto generated = generateWorkload(workload.training->model, workload.training->plan);
  return generated.ok() && generated->workload.collectives == workload.collectives &&
         haveSameSizes(generated->workload.axes, workload.axes);
}

Result<Workload> generatedFor(const Workload& workload, std::int64_t devices) {
  if (!workload.training) return Error{"the workload does not say which model it trains; start from a model"};
  const TrainingPlan& before = workload.training->plan;
  TrainedStep trained = fittedTo(*workload.training, devices);
  trained.plan = resolved(trained.plan);
  const double longer = before.microbatches > 0
                            ? static_cast<double>(trained.plan.microbatches) / static_cast<double>(before.microbatches)
                            : 1;
  trained.plan.computeSeconds *= longer;
  P2_TRY_ASSIGN(auto generated, generateWorkload(trained.model, trained.plan));
  Workload next = std::move(generated.workload);
  next.name = workload.name;
  next.computeSeconds = workload.computeSeconds;
  if (next.computeSeconds) *next.computeSeconds *= longer;
  next.slowdown = workload.slowdown;
  next.usableShare = workload.usableShare;
  next.concurrent = workload.concurrent;
  return next;
}

Result<Workload> withDataOf(Workload workload, std::int64_t devices) {
  const auto data = std::ranges::find_if(
      workload.axes, [](const Axis& axis) { return frameworkAxisOf(axis.name) == frameworkAxisOf(kDataAxis); });
  if (data == workload.axes.end()) return Error{"the workload has no axis called data; open one for this system"};
  std::vector<std::int64_t> others;
  for (const Axis& axis : workload.axes) others.push_back(axis.name == data->name ? 1 : axis.size);
  const auto product = checkedProduct(others);
  if (!product || *product <= 0 || devices % *product != 0) {
    return Error{"the axes other than " + data->name + " do not divide " + countedText(devices, "device") +
                 "; open a workload for this system"};
  }
  data->size = devices / *product;
  workload.training.reset();
  P2_TRY(checkWorkload(workload));
  return workload;
}

}  // namespace p2::inline workload
