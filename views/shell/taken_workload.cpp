// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/taken_workload.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "views/common/ratio_text.h"
#include "workload/generate/refit.h"

namespace p2::views {
namespace {

QString followTr(const char* text) { return QCoreApplication::translate("TakenWorkload", text); }

/// Whether its workload can be derived again.
bool hasOwnWorkload(const Workspace& workspace) {
  return workspace.workload && !workspace.planned && checkWorkloadAxes(*workspace.workload, workspace.axes).ok() &&
         isAsGenerated(*workspace.workload);
}

/// "The workload follows the cluster: data parallelism 32 instead of 8, 4 microbatches instead of 16 for each replica,
/// the batch stays 512."
QString followedText(const TrainingPlan& before, const TrainingPlan& after) {
  QStringList parts;
  if (after.data != before.data) {
    parts += followTr("data parallelism %1 instead of %2").arg(after.data).arg(before.data);
  }
  if (after.microbatches != before.microbatches) {
    parts += followTr("%1 instead of %2 for each replica")
                 .arg(counted(after.microbatches, followTr("microbatch"), followTr("microbatches")))
                 .arg(before.microbatches);
  }
  if (after.replicas != before.replicas) {
    parts += followTr("%1 instead of %2 of the shards")
                 .arg(counted(after.replicas, followTr("copy"), followTr("copies")))
                 .arg(before.replicas);
  }
  if (after.globalBatch != before.globalBatch) {
    parts += followTr("a batch of %1 instead of %2").arg(after.globalBatch).arg(before.globalBatch);
  } else {
    parts += followTr("the batch stays %1").arg(after.globalBatch);
  }
  return followTr("The workload follows the cluster: %1.").arg(parts.join(QStringLiteral(", ")));
}

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

std::vector<Axis> axesOfSameKind(const Workload& workload, const std::vector<Axis>& before) {
  std::vector<Axis> axes = axesTakenFrom(workload, before);
  for (Axis& axis : axes) {
    const auto old = std::ranges::find(before, axis.name, &Axis::name);
    if (old == before.end()) continue;
    axis.inside = old->inside;
    axis.replicate = old->replicate;
  }
  return checkReplicas(axes).ok() ? axes : withoutReplicas(std::move(axes));
}

QString followCluster(const Workspace& origin, const Workspace& before, Workspace& next) {
  const bool ofSystem = before.system != next.system && before.axes == next.axes && before.workload == next.workload;
  if (!ofSystem || !next.workload || next.planned || !checkParts(next.system).ok()) return {};
  const Workspace& from = hasOwnWorkload(origin) ? origin : before;
  if (!hasOwnWorkload(from) || checkAxes(next.system, next.workload->axes).ok()) return {};
  auto derived = generatedFor(*from.workload, next.system.deviceCount());
  if (!derived.ok()) return {};
  next.axes = axesOfSameKind(*derived, from.axes);
  const QString stated = followedText(from.workload->training->plan, derived->training->plan);
  next.workload = std::move(*derived);
  return stated;
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
