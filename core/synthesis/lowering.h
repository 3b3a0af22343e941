// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "synthesis/program_trace.h"

namespace p2::inline synthesis {

/// One group of a lowered step: devices in ring order, the first being the root, and what each holds around the step,
/// as a share of the whole vector (0 … 1).
struct LoweredGroup {
  DeviceGroup devices;
  std::vector<double> before;
  std::vector<double> after;
  friend bool operator==(const LoweredGroup&, const LoweredGroup&) = default;
};

/// A step of a program on real devices: its collective, in all groups at once.
struct LoweredStep {
  Collective collective = Collective::AllReduce;
  std::vector<LoweredGroup> groups;
  friend bool operator==(const LoweredStep&, const LoweredStep&) = default;
};

/// The steps in their order.
using LoweredProgram = std::vector<LoweredStep>;

/// The share of the vector a group works on: what its root holds before the step or after it, see
/// CollectiveTraits::worksOnResult() (cost model §2); all of it where contributions are kept apart.
[[nodiscard]] double workingShare(Collective collective, const LoweredGroup& group);

/// One step of a trace on real devices, `devices` being all of them; the step is one of the first trace.validSteps().
/// Programs may be wrong later on.
[[nodiscard]] LoweredStep loweredStep(const ProgramTrace& trace, StepId step, IdRange<Device> devices);
/// All steps that can run.
[[nodiscard]] LoweredProgram loweredProgram(const ProgramTrace& trace, IdRange<Device> devices);

/// The program on real devices (paper §3.4): each group once per combination of non-reduction coordinates. The error
/// says which step fails and why.
[[nodiscard]] Result<LoweredProgram> lower(const Placement& placement, const SynthesisHierarchy& hierarchy,
                                           const Program& program, RuleSet rules, const Goal& goal = kAllReduceGoal);

}  // namespace p2::inline synthesis
