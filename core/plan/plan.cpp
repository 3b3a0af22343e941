// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan.h"

namespace p2 {

Result<Plan> makePlan(const Workspace& workspace) {
  if (auto checked = checkWorkspace(workspace); !checked.ok()) return checked.error();
  if (workspace.matrix.empty()) return Error{"no placement is chosen; a plan needs a matrix"};
  if (workspace.program.empty()) return Error{"no program is chosen; a plan needs one"};
  if (workspace.system.deviceCount() > kMostPlanDevices) {
    return Error{"a plan lists every device, and " + std::to_string(workspace.system.deviceCount()) +
                     " are too many; at most " + std::to_string(kMostPlanDevices) + " fit",
                 {},
                 ErrorKind::TooLarge};
  }
  const Placement placement(workspace.axes, workspace.matrix);
  const SynthesisHierarchy hierarchy(workspace.system, placement);
  const auto program = parseProgram(hierarchy, workspace.program);
  if (!program.ok()) return program.error();
  auto lowered = lower(placement, hierarchy, *program, workspace.options.rules);
  if (!lowered.ok()) return lowered.error();
  const Topology topology(workspace.system);
  auto priced = evaluateProgram(workspace, topology, placement, hierarchy, *program);
  if (!priced.ok()) return priced.error();
  const auto baseline = evaluateProgram(workspace, topology, placement, hierarchy, plainAllReduce(hierarchy));
  if (!baseline.ok()) return baseline.error();

  Plan plan{workspace, std::move(lowered).value(), priced->seconds, priced->steps, {}, baseline->seconds};
  plan.workspace.program = programText(hierarchy, *program);
  for (const StepCost& step : plan.steps) plan.links.push_back(step.link.isNone() ? "" : topology.linkName(step.link));
  return plan;
}

}  // namespace p2
