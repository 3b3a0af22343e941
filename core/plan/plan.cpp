// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan.h"

#include <algorithm>

#include "cost/simulator.h"

namespace p2::inline plan {
namespace {

Result<void> checkedForPlan(const Workspace& workspace) {
  P2_TRY(checkWorkspace(workspace));
  if (workspace.matrix.empty()) return Error{"no placement is chosen; a plan needs a matrix"};
  if (workspace.program.empty()) return Error{"no program is chosen; a plan needs one"};
  if (workspace.system.deviceCount() > kMostPlanDevices) {
    return Error{"a plan lists every device, and " + std::to_string(workspace.system.deviceCount()) +
                     " are too many; at most " + std::to_string(kMostPlanDevices) + " fit",
                 {},
                 ErrorKind::TooLarge};
  }
  return {};
}

/// One set when all members hold the same.
std::vector<ChunkSet> chunksOf(const DeviceGroup& devices, const std::vector<SharedChunks>& held) {
  std::vector<SharedChunks> sets;
  for (const Device device : devices) sets.push_back(held[device.index()]);
  const bool same = std::all_of(sets.begin(), sets.end(),
                                [&](const SharedChunks& set) { return set == sets[0] || *set == *sets[0]; });
  if (same) sets.resize(1);
  std::vector<ChunkSet> chunks;
  for (const SharedChunks& set : sets) chunks.push_back(*set);
  return chunks;
}

Result<std::vector<PlanStep>> stepsOf(const ProgramTrace& trace, IdRange<Device> devices, const std::stop_token& stop) {
  std::vector<PlanStep> steps;
  std::vector<SharedChunks> before = trace.chunksOfDevices(0, devices);
  for (int step = 0; step < trace.validSteps(); ++step) {
    std::vector<SharedChunks> after = trace.chunksOfDevices(step + 1, devices);
    const Instruction& instruction = trace.program()[static_cast<std::size_t>(step)];
    PlanStep lowered{instruction.collective, {}};
    for (DeviceGroup& group : trace.hierarchy().groups(instruction.pattern)) {
      if (stop.stop_requested()) return cancelledError();
      std::vector<ChunkSet> first = chunksOf(group, before);
      std::vector<ChunkSet> last = chunksOf(group, after);
      lowered.groups.push_back({std::move(group), std::move(first), std::move(last)});
    }
    steps.push_back(std::move(lowered));
    before = std::move(after);
  }
  return steps;
}

Result<Prediction> predictionOf(const CostOptions& cost, const Topology& topology, const LoweredProgram& lowered,
                                const std::stop_token& stop) {
  Prediction predicted;
  for (const LoweredStep& step : lowered) {
    predicted.steps.push_back(simulateStep(topology, step, cost, stop));
    if (stop.stop_requested()) return cancelledError();
    const StepCost& made = predicted.steps.back();
    predicted.seconds += made.seconds;
    predicted.links.push_back(made.link.isNone() ? "" : topology.linkName(made.link));
  }
  return predicted;
}

}  // namespace

Result<Plan> makePlan(const Workspace& workspace, const std::stop_token& stop) {
  P2_TRY(checkedForPlan(workspace));
  const Placement placement(workspace.axes, workspace.matrix);
  const SynthesisHierarchy hierarchy(workspace.system, placement);
  P2_TRY_ASSIGN(const auto program, parseProgram(hierarchy, workspace.program));
  P2_TRY_ASSIGN(const auto cut, VectorCut::of(workspace.options.cost.bytes, placement.groupSize()));
  P2_TRY_ASSIGN(const auto trace,
                ProgramTrace::run(placement, hierarchy, program, workspace.options.rules, workspace.options.goal));
  if (auto problem = trace.problem()) return *problem;
  P2_TRY_ASSIGN(const auto system, validated(workspace.system));
  const Topology topology(system);
  P2_TRY_ASSIGN(const auto baseline, evaluateProgram(workspace, topology, placement, hierarchy,
                                                     singleProgram(hierarchy, workspace.options.goal), stop));

  P2_TRY_ASSIGN(auto steps, stepsOf(trace, placement.devices(), stop));
  PlanParts parts{workspace, cut, {}, std::move(steps), {}};
  parts.workspace.program = programText(hierarchy, program);
  for (std::int64_t group = 0; group < placement.groupCount(); ++group) {
    parts.reductionGroups.push_back(placement.groupMembers(group));
  }
  P2_TRY_ASSIGN(parts.predicted,
                predictionOf(workspace.options.cost, topology, loweredProgram(trace, placement.devices()), stop));
  parts.predicted.singleSeconds = baseline.seconds;
  parts.predicted.limit =
      placementLowerBound(topology, placement, workspace.options.goal.single, workspace.options.cost);
  return Plan(std::move(parts));
}

Result<double> secondsPricedAgain(const Plan& plan, const std::stop_token& stop) {
  LoweredProgram lowered;
  for (const PlanStep& step : plan.steps()) {
    LoweredStep shares{step.collective, {}};
    for (const PlanGroup& group : step.groups) shares.groups.push_back(sharesOf(group, plan.cut().chunks));
    lowered.push_back(std::move(shares));
  }
  P2_TRY_ASSIGN(const auto system, validated(plan.workspace().system));
  P2_TRY_ASSIGN(const auto priced, predictionOf(plan.workspace().options.cost, Topology(system), lowered, stop));
  return priced.seconds;
}

ChunkSet chunksAt(const Distribution& distribution, std::int64_t members, std::int64_t member) {
  if (distribution.holders != Distribution::Holders::EveryMember && member != 0) return {};
  if (distribution.chunks == Distribution::Chunks::OneEach) return {{member, member + 1}};
  return {{0, members}};
}

LoweredGroup sharesOf(const PlanGroup& group, std::int64_t chunks) {
  const auto share = [&](const ChunkSet& set) {
    return static_cast<double>(countOf(set)) / static_cast<double>(chunks);
  };
  LoweredGroup shares{group.devices, {}, {}};
  for (std::size_t member = 0; member < group.devices.size(); ++member) {
    shares.before.push_back(share(group.heldBefore(member)));
    shares.after.push_back(share(group.heldAfter(member)));
  }
  return shares;
}

}  // namespace p2::inline plan
