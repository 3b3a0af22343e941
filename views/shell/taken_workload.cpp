// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/taken_workload.h"

#include <algorithm>

namespace p2::views {
namespace {

/// Axes of the entry that reduces the most bytes, or moves the most if none reduces.
std::vector<std::string> mostReduced(const Workload& workload) {
  const auto weight = [](const WorkloadEntry& entry) {
    return std::pair(isReduction(entry.kind), static_cast<double>(entry.bytes) * static_cast<double>(entry.count));
  };
  const auto& entries = workload.collectives;
  const auto most = std::max_element(entries.begin(), entries.end(),
                                     [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
  return most == entries.end() ? std::vector<std::string>{} : most->axes;
}

}  // namespace

bool isReduction(CommunicationKind kind) {
  return kind == CommunicationKind::AllReduce || kind == CommunicationKind::ReduceScatter ||
         kind == CommunicationKind::Reduce;
}

std::vector<Axis> axesTakenFrom(const Workload& workload, const std::vector<Axis>& before) {
  std::vector<Axis> axes = workload.axes;
  for (Axis& axis : axes) {
    axis.reduce =
        std::any_of(before.begin(), before.end(), [&](const Axis& old) { return old.reduce && old.name == axis.name; });
  }
  if (checkReduction(axes).ok()) return axes;
  const std::vector<std::string> reduced = mostReduced(workload);
  for (Axis& axis : axes) axis.reduce = std::find(reduced.begin(), reduced.end(), axis.name) != reduced.end();
  return axes;
}

Workspace withWorkload(Workspace workspace, Workload workload) {
  workspace.axes = axesTakenFrom(workload, workspace.axes);
  workload.source.clear();
  workspace.workload = std::move(workload);
  workspace.matrix = {};
  workspace.program.clear();
  return workspace;
}

}  // namespace p2::views
