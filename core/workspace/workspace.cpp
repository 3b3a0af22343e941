// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace/workspace.h"

#include <algorithm>
#include <set>

#include "base/figures.h"
#include "base/utf8.h"
#include "cost/cost_model.h"
#include "cost/flows/channel_flows.h"
#include "placement/containment.h"

namespace p2::inline workspace {
namespace {

Result<void> checkNames(const std::vector<Axis>& axes) {
  std::set<std::string_view> names;
  for (const Axis& axis : axes) {
    if (axis.name.empty()) return Error{"an axis has no name; give every axis its own, as in data"};
    if (!isUtf8(axis.name))
      return Error{"the axis name \"" + axis.name + "\" is not valid UTF-8; no file could hold it"};
    if (!names.insert(axis.name).second) {
      return Error{"the axis name \"" + axis.name + "\" is used twice; give every axis its own"};
    }
  }
  return {};
}

/// Devices of one reduction group.
std::int64_t membersOf(const std::vector<Axis>& axes) {
  std::int64_t members = 1;
  for (const Axis& axis : axes) members *= axis.reduce ? axis.size : 1;
  return members;
}

}  // namespace

Workspace withSystem(Workspace workspace, System system) {
  CostOptions& cost = workspace.options.cost;
  const bool ownModel = cost.model == defaultModel(workspace.system);
  const bool ownAlgorithm = cost.algorithm == defaultAlgorithm(cost.model);
  workspace.system = std::move(system);
  if (ownModel) cost.model = defaultModel(workspace.system);
  if (ownModel && ownAlgorithm) cost.algorithm = defaultAlgorithm(cost.model);
  return workspace;
}

Workspace withGoal(Workspace workspace, const Goal& goal) {
  workspace.options.goal = goal;
  if (goal != kReduceScatterGoal) workspace.axes = withoutReplicas(std::move(workspace.axes));
  return workspace;
}

DocumentReduction reductionOf(const Workspace& workspace) {
  return {workspace.axes,
          workspace.options.goal,
          workspace.options.cost.bytes,
          workspace.options.cost.repeat,
          workspace.matrix,
          workspace.program,
          workspace.workload};
}

Workspace withReduction(Workspace workspace, DocumentReduction reduction) {
  workspace.axes = std::move(reduction.axes);
  workspace.options.goal = reduction.goal;
  workspace.options.cost.bytes = reduction.bytes;
  workspace.options.cost.repeat = reduction.repeat;
  workspace.matrix = std::move(reduction.matrix);
  workspace.program = std::move(reduction.program);
  workspace.workload = std::move(reduction.workload);
  return workspace;
}

std::string singleNameOf(const Workspace& workspace) {
  const bool replicas = std::any_of(workspace.axes.begin(), workspace.axes.end(),
                                    [](const Axis& axis) { return axis.replicate && axis.size > 1; });
  return replicas ? "RS·AR" : std::string(nameOf(workspace.options.goal.single));
}

Result<void> checkOptions(const ExploreOptions& options) {
  if (options.sizeLimit < 1 || options.sizeLimit > kMostSizeLimit) {
    return Error{"the limit of " + std::to_string(options.sizeLimit) + " steps is out of range; use 1 to " +
                 std::to_string(kMostSizeLimit)};
  }
  const Bytes bytes = options.cost.bytes;
  if (!kAmountRange.holds(bytes.value())) {
    return Error{exactNumber(bytes.value()) + " bytes per device are out of range; use 1 to 1e18"};
  }
  if (options.cost.repeat < 1 || options.cost.repeat > kMostRepeat) {
    return Error{std::to_string(options.cost.repeat) + " runs are out of range; use 1 to " +
                 std::to_string(kMostRepeat)};
  }
  P2_TRY(costModelFrom(options.cost.model));
  return {};
}

Result<void> checkWorkloadAxes(const Workload& workload, const std::vector<Axis>& axes) {
  for (const Axis& axis : workload.axes) {
    const auto found = std::find_if(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == axis.name; });
    if (found != axes.end() && found->size == axis.size) continue;
    if (found == axes.end() && axis.size == 1) continue;
    const std::string size = axis.name + " = " + std::to_string(axis.size);
    return Error{found == axes.end() ? "the workload needs the axis " + size + ", which is not here; add it"
                                     : "the workload needs " + size + ", and here it is " +
                                           std::to_string(found->size) + "; use the same size"};
  }
  return {};
}

Result<void> checkWorkspace(const Workspace& workspace) {
  P2_TRY(checkParts(workspace.system).about("/system"));
  P2_TRY(checkNames(workspace.axes));
  P2_TRY(checkAxes(workspace.system, workspace.axes));
  P2_TRY(checkInside(workspace.system, workspace.axes));
  P2_TRY(checkReduction(workspace.axes));
  P2_TRY(checkReplicas(workspace.axes));
  P2_TRY(checkOptions(workspace.options));
  if (workspace.options.goal != kReduceScatterGoal && !scatteredAxes(workspace.axes).empty()) {
    return Error{"only a ReduceScatter is scattered over some axes alone, and the goal is " +
                 std::string(workspace.options.goal.name) + "; choose ReduceScatter, or name no axes to scatter over"};
  }
  if (workspace.options.goal == kAllToAllGoal) {
    P2_TRY(checkAllToAll(workspace.system, membersOf(workspace.axes)));
  }
  if (workspace.matrix.empty()) return {};
  return checkMatrix(workspace.system, workspace.axes, workspace.matrix);
}

}  // namespace p2::inline workspace
