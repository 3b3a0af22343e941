// SPDX-License-Identifier: GPL-3.0-or-later
#include "training_answer/plan_reduction.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "training_answer/document_training.h"
#include "workload/axis_names.h"
#include "workload/generate/generator.h"

namespace p2::inline training_answer {
namespace {

bool reduces(const WorkloadEntry& entry) {
  return entry.kind == CommunicationKind::AllReduce || entry.kind == CommunicationKind::ReduceScatter ||
         entry.kind == CommunicationKind::Reduce;
}

bool isOverData(const WorkloadEntry& entry) {
  constexpr std::array kNames{kDataAxis, kReplicaAxis, kExpertDataAxis};
  return std::any_of(entry.axes.begin(), entry.axes.end(), [&](const std::string& name) {
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
  });
}

/// Messages from device to device have no programs.
bool hasPrograms(const WorkloadEntry& entry) { return entry.kind != CommunicationKind::Shift; }

std::string_view goalNameOf(CommunicationKind kind) {
  return kind == CommunicationKind::Dispatch ? std::string_view("AllToAll") : nameOf(kind);
}

bool isAmong(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool isOver(const std::vector<Axis>& axes, const std::vector<std::string>& names) {
  return std::all_of(axes.begin(), axes.end(),
                     [&](const Axis& axis) { return axis.reduce == isAmong(axis.name, names); });
}

}  // namespace

Result<Workload> workloadOfPlan(const ModelShape& model, const PlannedConfiguration& planned) {
  if (devicesOf(planned.configuration.plan) == 1) return Error{"a single device communicates nothing"};
  P2_TRY_ASSIGN(auto source, generateWorkload(model, workloadPlanOf(planned.configuration)));
  return Workload{"training step", planned.axes, std::move(source.workload.collectives), {}, {}};
}

std::optional<std::size_t> leadingEntry(const Workload& workload) {
  const auto weight = [](const WorkloadEntry& entry) {
    const double bytes = static_cast<double>(entry.bytes) * static_cast<double>(entry.count);
    return std::tuple(hasPrograms(entry), reduces(entry) && isOverData(entry), bytes);
  };
  const auto& entries = workload.collectives;
  const auto most = std::max_element(entries.begin(), entries.end(),
                                     [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
  if (most == entries.end() || !hasPrograms(*most)) return std::nullopt;
  return static_cast<std::size_t>(most - entries.begin());
}

Result<Workspace> withEntry(Workspace workspace, const WorkloadEntry& entry) {
  if (!hasPrograms(entry)) {
    return Error{"messages from device to device have no programs; choose a collective of another axis"};
  }
  P2_TRY_ASSIGN(const auto goal, goalFrom(goalNameOf(entry.kind)));
  workspace = withGoal(std::move(workspace), goal);
  for (Axis& axis : workspace.axes) {
    axis.reduce = isAmong(axis.name, entry.axes);
    axis.replicate = axis.reduce && !entry.scatter.empty() && !isAmong(axis.name, entry.scatter);
  }
  workspace.program.clear();
  workspace.options.cost.bytes = Bytes(static_cast<double>(entry.bytes));
  workspace.options.cost.repeat = static_cast<int>(std::min<std::int64_t>(entry.count, kMostRepeat));
  return workspace;
}

Result<Workspace> withPlan(Workspace workspace, const ModelShape& model, const PlannedConfiguration& planned) {
  P2_TRY_ASSIGN(auto workload, workloadOfPlan(model, planned));
  const auto& entries = workload.collectives;
  auto place = leadingEntry(workload);
  if (const auto looked = workspace.planned ? reducedEntry(workspace) : std::nullopt) {
    const WorkloadEntry& now = workspace.workload->collectives[*looked];
    const auto same = std::find_if(entries.begin(), entries.end(), [&](const WorkloadEntry& each) {
      return each.name == now.name && each.kind == now.kind;
    });
    if (same != entries.end()) place = static_cast<std::size_t>(same - entries.begin());
  }
  if (!place) return Error{"only messages between stages are sent, which have no programs"};
  if (!workspace.planned) {
    workspace.planned.emplace();
    if (!workspace.axes.empty()) workspace.planned->own = reductionOf(workspace);
  }
  workspace.planned->plan = chosenFrom(planned);
  workspace.axes = planned.axes;
  workspace.matrix = planned.matrix;
  const WorkloadEntry entry = entries[*place];
  workspace.workload = std::move(workload);
  return withEntry(std::move(workspace), entry);
}

Workspace withOwnReduction(Workspace workspace) {
  if (!workspace.planned) return workspace;
  std::optional<DocumentReduction> own = std::move(workspace.planned->own);
  workspace.planned.reset();
  return own ? withReduction(std::move(workspace), std::move(*own)) : workspace;
}

std::optional<std::size_t> reducedEntry(const Workspace& workspace) {
  if (!workspace.workload) return std::nullopt;
  const auto& entries = workspace.workload->collectives;
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const WorkloadEntry& each) {
    return hasPrograms(each) && workspace.options.goal.name == goalNameOf(each.kind) &&
           workspace.options.cost.bytes == Bytes(static_cast<double>(each.bytes)) && isOver(workspace.axes, each.axes);
  });
  if (found == entries.end()) return std::nullopt;
  return static_cast<std::size_t>(found - entries.begin());
}

}  // namespace p2::inline training_answer
