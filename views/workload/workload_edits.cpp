// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/workload_edits.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "base/counted.h"
#include "base/numbers.h"
#include "placement/framework_axes.h"
#include "views/common/text.h"
#include "views/shell/taken_workload.h"
#include "workload/axis_names.h"
#include "workload/generate/refit.h"

namespace p2::views {
namespace {

QString fixTr(const char* text) { return QCoreApplication::translate("WorkloadFix", text); }

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
  std::vector<Axis> axes = axesTakenFrom(*workspace.workload, workspace.axes);
  P2_TRY(checkAxes(workspace.system, axes));
  return axes;
}

Result<void> checkWorkloadFit(const Workspace& workspace) {
  const Workload& workload = *workspace.workload;
  const auto devices = checkedProduct(sizesOf(workload.axes));
  const std::int64_t there = workspace.system.deviceCount();
  if (checkParts(workspace.system).ok() && devices != there) {
    return Error{"this workload is for " +
                 (devices ? countedText(*devices, "device") : "more devices than any cluster") +
                 ", and the cluster has " + std::to_string(there) +
                 (fixOf(workspace) ? "" : "; start it from a model, or open one for this cluster")};
  }
  return checkWorkloadAxes(workload, workspace.axes);
}

std::optional<WorkloadFix> fixOf(const Workspace& workspace) {
  if (!workspace.workload || !checkParts(workspace.system).ok() || axesOfWorkload(workspace).ok()) return std::nullopt;
  const std::int64_t devices = workspace.system.deviceCount();
  if (auto derived = generatedFor(*workspace.workload, devices); derived.ok()) {
    return WorkloadFix{
        fixTr("&Derive it again"),
        fixTr("Generate the workload of %1 for %2 devices, with data parallelism %3. Entries that were changed by hand "
              "are lost; can be undone (Alt+D)")
            .arg(qs(derived->training->model.name))
            .arg(devices)
            .arg(derived->training->plan.data),
        std::move(derived).value()};
  }
  auto resized = withDataOf(*workspace.workload, devices);
  if (!resized.ok()) return std::nullopt;
  const auto data = std::ranges::find_if(
      resized->axes, [](const Axis& axis) { return frameworkAxisOf(axis.name) == frameworkAxisOf(kDataAxis); });
  return WorkloadFix{fixTr("Set &%1 to %2").arg(qs(data->name)).arg(data->size),
                     fixTr("Resize the axis %1 of the workload. Bytes and counts stay, as for a batch that grows with "
                           "the devices; can be undone")
                         .arg(qs(data->name)),
                     std::move(resized).value()};
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
