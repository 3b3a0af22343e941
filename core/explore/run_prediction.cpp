// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/run_prediction.h"

#include "cost/simulator.h"

namespace p2 {

Result<ProgramResult> predictRun(Workspace workspace, Bytes bytes, std::optional<int> pieces,
                                 const std::stop_token& stop) {
  CostOptions& cost = workspace.options.cost;
  cost.bytes = bytes;
  cost.repeat = 1;
  cost.overlap = !pieces;
  const Placement placement(workspace.axes, workspace.matrix);
  const SynthesisHierarchy hierarchy(workspace.system, placement);
  P2_TRY_ASSIGN(const auto program, parseProgram(hierarchy, workspace.program));
  P2_TRY_ASSIGN(const auto system, validated(workspace.system));
  const Topology topology(system);
  P2_TRY_ASSIGN(auto result, evaluateProgram(workspace, topology, placement, hierarchy, program, stop));
  if (!pieces || *pieces == 1) return result;
  P2_TRY_ASSIGN(const auto lowered,
                lower(placement, hierarchy, program, workspace.options.rules, workspace.options.goal));
  std::vector<BusyStepOf> steps;
  for (const LoweredStep& step : lowered) steps.push_back(busyStepOf(topology, step, cost));
  result.overlapped = overlappedIn(*pieces, steps, cost);
  return result;
}

}  // namespace p2
