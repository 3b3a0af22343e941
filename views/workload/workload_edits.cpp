// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/workload_edits.h"

#include <algorithm>
#include <cmath>

namespace p2::views {
namespace {

const Axis* axisCalled(const std::vector<Axis>& axes, const std::string& name) {
  const auto found = std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
  return found == axes.end() ? nullptr : &*found;
}

/// The entry that reduces most, else the first.
const WorkloadEntry& mostReducing(const Workload& workload) {
  const auto reduced = [](const WorkloadEntry& entry) {
    const bool reduces = entry.kind == CommunicationKind::AllReduce || entry.kind == CommunicationKind::Reduce ||
                         entry.kind == CommunicationKind::ReduceScatter;
    return reduces ? double(entry.bytes) * double(entry.count) : 0;
  };
  return *std::max_element(workload.collectives.begin(), workload.collectives.end(),
                           [&](const auto& a, const auto& b) { return reduced(a) < reduced(b); });
}

}  // namespace

Result<Workload> oneAllReduce(const Workspace& workspace) {
  WorkloadEntry entry;
  for (const Axis& axis : workspace.axes) {
    if (axis.reduce && axis.size > 1) entry.axes.push_back(axis.name);
  }
  if (entry.axes.empty()) return Error{"no axis larger than 1 is reduced over; tick one under Placements"};
  entry.name = "gradients";
  entry.bytes = std::llround(std::max(1.0, workspace.options.cost.bytes.value()));
  entry.count = workspace.options.cost.repeat;
  Workload workload;
  workload.name = "one AllReduce";
  for (const Axis& axis : workspace.axes) workload.axes.push_back({axis.name, axis.size, false});
  workload.collectives.push_back(std::move(entry));
  P2_TRY(checkWorkload(workload));
  return workload;
}

Result<std::vector<Axis>> axesOfWorkload(const Workspace& workspace) {
  if (!workspace.workload) return Error{"there is no workload whose axes could be used; open one"};
  std::vector<Axis> axes = workspace.workload->axes;
  for (Axis& axis : axes) {
    const Axis* known = axisCalled(workspace.axes, axis.name);
    axis.reduce = known != nullptr && known->reduce;
  }
  P2_TRY(checkAxes(workspace.system, axes));
  if (checkReduction(axes).ok() || workspace.workload->collectives.empty()) return axes;
  const auto& reduced = mostReducing(*workspace.workload).axes;
  for (Axis& axis : axes) axis.reduce = std::find(reduced.begin(), reduced.end(), axis.name) != reduced.end();
  return axes;
}

StepQuestion stepQuestionOf(const Workspace& workspace, Workload shown) {
  StepQuestion question;
  question.system = workspace.system;
  question.axes = workspace.axes;
  for (Axis& axis : question.axes) axis.reduce = false;
  question.options = workspace.options;
  question.options.goal = kAllReduceGoal;
  question.options.cost.bytes = CostOptions{}.bytes;
  question.options.cost.repeat = 1;
  question.workload = std::move(shown);
  return question;
}

}  // namespace p2::views
