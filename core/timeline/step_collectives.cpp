// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/detail/step_collectives.h"

#include <algorithm>

#include "training/framework_placements.h"
#include "workload/generate/generator.h"
#include "workload/generate/training_mesh.h"

namespace p2::inline timeline {
namespace {

using Names = TrainingMesh::Names;

bool isSame(const Names& names, Names axes) {
  return names.size() == axes.size() && std::is_permutation(names.begin(), names.end(), axes.begin());
}

Names both(Names one, const Names& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

/// The group whose axes these are.
TrainingGroup groupOf(const TrainingMesh& mesh, const WorkloadEntry& entry) {
  const Names& axes = entry.axes;
  if (isSame(mesh.pipeline, axes))
    return entry.kind == CommunicationKind::AllReduce ? TrainingGroup::Ends : TrainingGroup::Pipeline;
  // Experts and tensor parallelism may go over the same devices.
  if (isSame(mesh.expert, axes) && entry.kind == CommunicationKind::Dispatch) return TrainingGroup::Expert;
  if (isSame(mesh.tensor, axes)) return TrainingGroup::Tensor;
  if (isSame(both(mesh.context, mesh.contextRing), axes) || isSame(mesh.context, axes) ||
      isSame(mesh.contextRing, axes)) {
    return TrainingGroup::Context;
  }
  if (isSame(mesh.shard, axes)) return TrainingGroup::Shards;
  if (isSame(mesh.replica, axes)) return TrainingGroup::Replicas;
  if (isSame(both(mesh.replica, mesh.shard), axes)) return TrainingGroup::Data;
  if (isSame(mesh.expert, axes)) return TrainingGroup::Expert;
  if (isSame(mesh.expertTensor, axes)) return TrainingGroup::ExpertTensor;
  return TrainingGroup::ExpertData;
}

ExposedAxis axisOf(TrainingGroup group) {
  switch (group) {
    case TrainingGroup::Tensor:
    case TrainingGroup::ExpertTensor:
      return ExposedAxis::Tensor;
    case TrainingGroup::Context:
      return ExposedAxis::Context;
    case TrainingGroup::Expert:
      return ExposedAxis::Expert;
    case TrainingGroup::Pipeline:
    case TrainingGroup::Ends:
      return ExposedAxis::Pipeline;
    case TrainingGroup::Shards:
    case TrainingGroup::Replicas:
    case TrainingGroup::Data:
    case TrainingGroup::ExpertData:
      break;
  }
  return ExposedAxis::Data;
}

/// Factors by level of some axes: "node 2 · gpu 4".
std::string spanOf(const System& system, const PricedPlacement& placement, const Names& axes) {
  std::string text;
  for (std::size_t level = 0; level < placement.matrix.columns(); ++level) {
    std::int64_t factor = 1;
    for (std::size_t axis = 0; axis < placement.axes.size(); ++axis) {
      const bool isOne = std::find(axes.begin(), axes.end(), placement.axes[axis].name) != axes.end();
      if (isOne) factor *= placement.matrix.at(axis, level);
    }
    if (factor > 1) text += (text.empty() ? "" : " · ") + system.levels[level].name + " " + std::to_string(factor);
  }
  return text;
}

std::int64_t membersAmong(const std::vector<Axis>& axes, const Names& names) {
  std::int64_t members = 1;
  for (const Axis& axis : axes) {
    if (std::find(names.begin(), names.end(), axis.name) != names.end()) members *= axis.size;
  }
  return members;
}

}  // namespace

std::string_view describe(ExposedAxis axis) {
  constexpr std::array<std::string_view, 5> kNames{"tensor parallel", "context parallel", "expert parallel", "pipeline",
                                                   "data parallel"};
  return kNames[static_cast<std::size_t>(axis)];
}

Result<PricedPlacement> pricedPlacementOf(const ModelShape& model, const System& system,
                                          const PlannedConfiguration& planned, std::stop_token stop) {
  const TrainingPlacements pricers = trainingPlacements(model, system);
  for (const PlacementPricer& pricer : {pricers.orders, pricers.rankFiles}) {
    P2_TRY_ASSIGN(auto placements, pricer(*planned.framework, planned.configuration, stop));
    const auto found = std::find_if(placements.begin(), placements.end(),
                                    [&](const PricedPlacement& each) { return each.matrix == planned.matrix; });
    if (found != placements.end()) return std::move(*found);
  }
  return Error{"neither an order of " + std::string(planned.framework->label) +
               " nor a rank file gives the placement " + planned.matrix.text()};
}

Result<std::vector<StepCollective>> stepCollectives(const ModelShape& model, const System& system,
                                                    const TrainingConfiguration& configuration,
                                                    const PricedPlacement& placement) {
  std::vector<StepCollective> collectives;
  if (devicesOf(configuration.plan) == 1) return collectives;
  TrainingPlan plan = workloadPlanOf(configuration);
  P2_TRY_ASSIGN(const auto mesh, trainingMesh(model, plan));
  P2_TRY_ASSIGN(auto source, generateWorkload(model, plan));
  for (WorkloadEntry& entry : source.workload.collectives) {
    StepCollective each;
    each.group = groupOf(mesh, entry);
    each.axis = axisOf(each.group);
    each.members = membersAmong(source.workload.axes, entry.axes);
    each.seconds = placement.prices->seconds(each.group, entry.kind, static_cast<double>(entry.bytes));
    each.span = spanOf(system, placement, entry.axes);
    each.link = placement.prices->busiestLink(each.group, entry.kind, static_cast<double>(entry.bytes));
    each.entry = std::move(entry);
    collectives.push_back(std::move(each));
  }
  std::stable_sort(collectives.begin(), collectives.end(), [](const StepCollective& a, const StepCollective& b) {
    return a.axis != b.axis
               ? a.axis < b.axis
               : a.seconds * static_cast<double>(a.entry.count) > b.seconds * static_cast<double>(b.entry.count);
  });
  return collectives;
}

}  // namespace p2::inline timeline
