// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/lowering.h"

#include <algorithm>

#include "collective/collective_traits.h"

namespace p2 {
namespace {

/// The share of the vector every device holds, at one moment.
using Holdings = std::vector<double>;

Holdings holdingsOf(const CompactState& state, const SynthesisHierarchy& hierarchy, Device devices) {
  const std::vector<std::int64_t> sizes = hierarchy.sizes();
  std::vector<double> ofClass;
  for (const ClassState& entry : state.classes) {
    double share = entry.present ? 1 : 0;
    for (std::size_t level = 0; level < sizes.size(); ++level) {
      if ((entry.splitLevels() >> level & 1) != 0) share /= static_cast<double>(sizes[level]);
    }
    ofClass.push_back(share);
  }
  Holdings holdings;
  holdings.reserve(static_cast<std::size_t>(devices));
  for (Device device = 0; device < devices; ++device) {
    unsigned entry = 0;
    for (std::size_t level = 0; level < sizes.size(); ++level) {
      const auto& digits = hierarchy.levels()[level].digits;
      const bool first = std::all_of(digits.begin(), digits.end(), [&](const Digit& d) { return d.of(device) == 0; });
      if (!first) entry |= 1u << level;
    }
    holdings.push_back(ofClass[entry]);
  }
  return holdings;
}

Holdings holdingsOf(const std::vector<DeviceState>& states) {
  Holdings holdings;
  for (const DeviceState& state : states) holdings.push_back(state.rowCount() / static_cast<double>(state.size()));
  return holdings;
}

LoweredStep lowerStep(const SynthesisHierarchy& hierarchy, const Instruction& instruction, const Holdings& before,
                      const Holdings& after) {
  LoweredStep step{instruction.collective, {}};
  for (DeviceGroup& devices : hierarchy.groups(instruction.pattern)) {
    LoweredGroup group;
    for (const Device device : devices) {
      group.before.push_back(before[static_cast<std::size_t>(device)]);
      group.after.push_back(after[static_cast<std::size_t>(device)]);
    }
    group.devices = std::move(devices);
    step.groups.push_back(std::move(group));
  }
  return step;
}

Error stepError(const SynthesisHierarchy& hierarchy, const Program& program, std::size_t step, const std::string& why) {
  return Error{instructionText(hierarchy, program[step]) + ": " + why, "step " + std::to_string(step + 1)};
}

Error incomplete() { return Error{"the program ends before every device holds the whole sum"}; }

Result<LoweredProgram> lowerExplicitly(const Placement& placement, const SynthesisHierarchy& hierarchy,
                                       const Program& program, RuleSet rules) {
  const auto execution = execute(placement, hierarchy, program, rules);
  if (!execution.ok()) return execution.error();
  const std::size_t done = execution->states.size() - 1;
  if (execution->failure) return stepError(hierarchy, program, done, execution->failure->sentence);
  if (execution->refusal) return stepError(hierarchy, program, done, *execution->refusal);
  if (!execution->complete) return incomplete();
  const bool oneGroup = hierarchy.kind() == HierarchyKind::ReductionAxes;
  std::vector<Holdings> holdings;
  for (const auto& states : execution->states) {
    const Holdings ofMembers = holdingsOf(states);
    Holdings ofDevices;
    for (Device device = 0; device < placement.deviceCount(); ++device) {
      ofDevices.push_back(ofMembers[static_cast<std::size_t>(oneGroup ? hierarchy.memberOf(device) : device)]);
    }
    holdings.push_back(std::move(ofDevices));
  }
  LoweredProgram lowered;
  for (std::size_t step = 0; step < program.size(); ++step) {
    lowered.push_back(lowerStep(hierarchy, program[step], holdings[step], holdings[step + 1]));
  }
  return lowered;
}

}  // namespace

double workingShare(Collective collective, const LoweredGroup& group) {
  return traitsOf(collective).worksOnResult ? group.after[0] : group.before[0];
}

Result<LoweredProgram> lower(const Placement& placement, const SynthesisHierarchy& hierarchy, const Program& program,
                             RuleSet rules) {
  const bool compact =
      hierarchy.kind() == HierarchyKind::ReductionAxes && hierarchy.deviceCount() > kMostExplicitMembers;
  if (!compact) return lowerExplicitly(placement, hierarchy, program, rules);
  const auto execution = executeCompactly(hierarchy, program, rules);
  if (!execution.ok()) return execution.error();
  const std::vector<CompactState>& states = execution->states;
  if (execution->refusal) return stepError(hierarchy, program, states.size() - 1, *execution->refusal);
  if (!execution->complete) return incomplete();
  LoweredProgram lowered;
  for (std::size_t step = 0; step < program.size(); ++step) {
    lowered.push_back(lowerStep(hierarchy, program[step], holdingsOf(states[step], hierarchy, placement.deviceCount()),
                                holdingsOf(states[step + 1], hierarchy, placement.deviceCount())));
  }
  return lowered;
}

}  // namespace p2
