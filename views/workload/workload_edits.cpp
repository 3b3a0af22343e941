// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/workload_edits.h"

#include <algorithm>
#include <cmath>

#include "views/shell/taken_workload.h"

namespace p2::views {
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
  std::vector<Axis> axes = axesTakenFrom(*workspace.workload, workspace.axes);
  P2_TRY(checkAxes(workspace.system, axes));
  return axes;
}

StepOptions timingOf(const Workload& workload) {
  return {workload.computeSeconds, workload.slowdown, workload.usableShare, workload.concurrent};
}

Workload withTiming(Workload workload, const StepOptions& timing) {
  workload.computeSeconds = timing.computeSeconds;
  workload.slowdown = timing.slowdown;
  workload.usableShare = timing.usableShare;
  workload.concurrent = timing.concurrent.value_or(false);
  return workload;
}

}  // namespace p2::views
