// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/lowering.h"

#include "collective/collective_traits.h"

namespace p2::inline synthesis {

double workingShare(Collective collective, const LoweredGroup& group) {
  if (traitsOf(collective).keepsApart) return 1;
  return traitsOf(collective).worksOnResult() ? group.after[0] : group.before[0];
}

LoweredStep loweredStep(const ProgramTrace& trace, StepId step, IdRange<Device> devices) {
  const Instruction& instruction = trace.program()[step.index()];
  const int done = static_cast<int>(step.value());
  const std::vector<std::int64_t> before = trace.chunkCounts(done, devices);
  const std::vector<std::int64_t> after = trace.chunkCounts(done + 1, devices);
  const auto all = static_cast<double>(trace.chunks());
  LoweredStep lowered{instruction.collective, {}};
  for (DeviceGroup& members : trace.hierarchy().groups(instruction.pattern)) {
    LoweredGroup group;
    for (const Device device : members) {
      group.before.push_back(static_cast<double>(before[device.index()]) / all);
      group.after.push_back(static_cast<double>(after[device.index()]) / all);
    }
    group.devices = std::move(members);
    lowered.groups.push_back(std::move(group));
  }
  return lowered;
}

LoweredProgram loweredProgram(const ProgramTrace& trace, IdRange<Device> devices) {
  LoweredProgram lowered;
  for (const StepId step : IdRange<StepId>(trace.validSteps())) lowered.push_back(loweredStep(trace, step, devices));
  return lowered;
}

Result<LoweredProgram> lower(const Placement& placement, const SynthesisHierarchy& hierarchy, const Program& program,
                             RuleSet rules, const Goal& goal) {
  P2_TRY_ASSIGN(const auto trace, ProgramTrace::run(placement, hierarchy, program, rules, goal));
  if (auto problem = trace.problem()) return *problem;
  return loweredProgram(trace, placement.devices());
}

}  // namespace p2::inline synthesis
