// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collective/rules.h"
#include "synthesis/instruction.h"
#include "synthesis/state_graph.h"

namespace p2::inline synthesis {

/// Largest reduction group whose bit matrices are computed and shown in full.
inline constexpr std::int64_t kMostExplicitMembers = 256;

/// Why a step cannot run.
struct StepFailure {
  std::optional<PremiseFailure> premise;  ///< which premise fails, and where; empty if the rule set or the
                                          ///< reduction forbids the step, or the reason is too large to work out
  std::string sentence;
};

/// The states of the members of one reduction group before the first and after every step.
struct Execution {
  std::vector<std::vector<DeviceState>> states;  ///< [step][member]; one more than valid steps
  std::optional<PremiseFailure> failure;         ///< of step states.size() − 1, if one failed
  std::optional<std::string> refusal;            ///< why the rule set or the reduction forbids that step, if it does
  bool complete = false;                         ///< the goal is reached
};

/// Runs a program on explicit bit matrices: the display and the oracle (paper §3.2). For hierarchies other than
/// ReductionAxes the members are all devices, each state over its own reduction group, and a group that mixes
/// reduction groups is refused. Device numbers in failures are real device numbers, of reduction group 0 for
/// ReductionAxes. Errors: more than kMostExplicitMembers members.
[[nodiscard]] Result<Execution> execute(const Placement& placement, const SynthesisHierarchy& hierarchy,
                                        const Program& program, RuleSet rules, const Goal& goal = kAllReduceGoal);

/// As Execution, in compact states and for reduction groups of any size.
struct CompactExecution {
  std::vector<CompactState> states;    ///< before the first and after every step that applies
  std::optional<std::string> refusal;  ///< why step states.size() − 1 does not apply, if one does not
  bool complete = false;               ///< the goal is reached
};

/// Runs a program on compact states; hierarchies of the kind ReductionAxes. It stops at the first step that cannot run
/// or after which the goal is out of reach; ProgramTrace tells which of the two, and why. Errors: more than
/// kMostSynthesisLevels levels.
[[nodiscard]] Result<CompactExecution> executeCompactly(const SynthesisHierarchy& hierarchy, const Program& program,
                                                        RuleSet rules, const Goal& goal = kAllReduceGoal);

/// Every valid program of at most `limit` steps, by explicit search over bit matrices, smaller programs first, then in
/// instruction order; programs end as soon as the goal is reached. Exponential: the oracle for small systems, and the
/// way to the hierarchies (a) to (c). Errors: more than kMostExplicitMembers members, or more states than fit half a
/// gigabyte.
[[nodiscard]] Result<std::vector<Program>> enumerateExplicitly(const Placement& placement,
                                                               const SynthesisHierarchy& hierarchy, RuleSet rules,
                                                               int limit, const Goal& goal = kAllReduceGoal);

}  // namespace p2::inline synthesis
