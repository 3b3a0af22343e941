// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/run_prediction.h"

#include "cost/simulator.h"

namespace p2::inline explore {
namespace {

/// What every piece costs the processors that move it is in no price: for less, cutting finer is not worth it.
constexpr double kWorthCutting = 0.05;

/// The time in the fewest of 1, 2, 4 … pieces that come near the best.
Overlapped worthwhile(std::span<const BusyStepOf> steps, const CostOptions& cost) {
  const double enough = overlapped(steps, cost).seconds * (1 + kWorthCutting);
  Overlapped found = overlappedIn(1, steps, cost);
  while (found.seconds > enough && found.chunks < kMostChunks) found = overlappedIn(2 * found.chunks, steps, cost);
  return found;
}

}  // namespace

Result<ProgramResult> predictRun(Workspace workspace, Bytes bytes, std::optional<int> pieces,
                                 const std::stop_token& stop) {
  CostOptions& cost = workspace.options.cost;
  cost.bytes = bytes;
  cost.repeat = 1;
  cost.overlap = false;
  const Placement placement(workspace.axes, workspace.matrix);
  const SynthesisHierarchy hierarchy(workspace.system, placement);
  P2_TRY_ASSIGN(const auto program, parseProgram(hierarchy, workspace.program));
  P2_TRY_ASSIGN(const auto system, validated(workspace.system));
  const Topology topology(system);
  P2_TRY_ASSIGN(auto result, evaluateProgram(workspace, topology, placement, hierarchy, program, stop));
  if (pieces == 1) return result;
  P2_TRY_ASSIGN(const auto lowered,
                lower(placement, hierarchy, program, workspace.options.rules, workspace.options.goal));
  std::vector<BusyStepOf> steps;
  for (const LoweredStep& step : lowered) steps.push_back(busyStepOf(topology, step, cost));
  result.overlapped = pieces ? overlappedIn(*pieces, steps, cost) : worthwhile(steps, cost);
  return result;
}

}  // namespace p2::inline explore
