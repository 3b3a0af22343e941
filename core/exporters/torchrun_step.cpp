// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "exporters/torchrun.h"

namespace p2::inline exporters {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Axis> axesOf(const StepRanking& ranking, const WorkloadEntry& entry) {
  std::vector<Axis> axes = ranking.question.axes;
  for (Axis& axis : axes) {
    axis.reduce = contains(entry.axes, axis.name);
    axis.replicate = axis.reduce && !entry.scatter.empty() && !contains(entry.scatter, axis.name);
  }
  return axes;
}

/// The goal of an entry that programs of collectives reach.
Result<Goal> goalOfKind(CommunicationKind kind) {
  return goalFrom(kind == CommunicationKind::Dispatch ? kAllToAllGoal.name : nameOf(kind));
}

/// One entry as a document of its own, without a program.
Result<Workspace> documentOf(const StepRanking& ranking, const PlacementStep& placement, const WorkloadEntry& entry) {
  Workspace workspace;
  workspace.system = ranking.question.system;
  workspace.axes = axesOf(ranking, entry);
  workspace.matrix = placement.matrix;
  workspace.options = ranking.question.options;
  workspace.options.cost.bytes = Bytes(static_cast<double>(entry.bytes));
  workspace.options.cost.repeat = 1;
  if (entry.kind == CommunicationKind::Shift) return workspace;
  P2_TRY_ASSIGN(workspace.options.goal, goalOfKind(entry.kind));
  return workspace;
}

TorchrunShift shiftOf(Workspace workspace, const WorkloadEntry& entry, double seconds) {
  const Placement placement(workspace.axes, workspace.matrix);
  TorchrunShift shift{std::move(workspace), {}, entry.closed, seconds};
  for (std::int64_t group = 0; group < placement.groupCount(); ++group) {
    shift.groups.push_back(placement.groupMembers(group));
  }
  return shift;
}

/// The plan of an entry's best program, or of its single collective where no program is the best.
Result<Plan> planOfEntry(Workspace workspace, const EntryCost& cost) {
  const SynthesisHierarchy hierarchy(workspace.system, Placement(workspace.axes, workspace.matrix));
  workspace.program = cost.program;
  const auto program = parseProgram(hierarchy, cost.program);
  if (program.ok()) {
    if (auto plan = makePlan(workspace); plan.ok()) return plan;
  }
  workspace.program = programText(hierarchy, singleProgram(hierarchy, workspace.options.goal));
  return makePlan(workspace);
}

}  // namespace

Result<std::vector<TorchrunJob>> torchrunJobs(const StepRanking& ranking, const PlacementStep& placement) {
  std::vector<TorchrunJob> jobs;
  for (std::size_t i = 0; i < ranking.entries().size(); ++i) {
    const WorkloadEntry& entry = ranking.entries()[i];
    const EntryCost& cost = ranking.cost(placement, i);
    P2_TRY_ASSIGN(auto workspace, documentOf(ranking, placement, entry));
    const bool overlappable = entry.overlap.extent != CommunicationOverlap::Extent::None;
    if (entry.kind == CommunicationKind::Shift) {
      jobs.push_back({entry.name, entry.count, overlappable, shiftOf(std::move(workspace), entry, cost.seconds)});
      continue;
    }
    P2_TRY_ASSIGN(auto plan, planOfEntry(std::move(workspace), cost));
    jobs.push_back({entry.name, entry.count, overlappable, std::move(plan)});
  }
  return jobs;
}

}  // namespace p2::inline exporters
