// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/execution.h"

#include "base/counted.h"
#include "synthesis/detail/explicit_engine.h"
#include "synthesis/detail/selection_table.h"

namespace p2::inline synthesis {

Result<Execution> execute(const Placement& placement, const SynthesisHierarchy& hierarchy, const Program& program,
                          RuleSet rules, const Goal& goal) {
  const std::int64_t members =
      hierarchy.kind() == HierarchyKind::ReductionAxes ? hierarchy.deviceCount() : placement.deviceCount();
  if (members > kMostExplicitMembers) {
    return Error{"the bit matrices of " + std::to_string(members) + " devices are too large to compute; at most " +
                     std::to_string(kMostExplicitMembers) + " can be shown",
                 {},
                 ErrorKind::TooLarge};
  }
  ExplicitEngine engine(placement, hierarchy, rules, goal);
  Execution execution{{engine.initial()}, {}, {}, false};
  for (const Instruction& instruction : program) {
    auto outcome = engine.apply(execution.states.back(), instruction);
    if (auto* failure = std::get_if<PremiseFailure>(&outcome)) {
      execution.failure = std::move(*failure);
      return execution;
    }
    if (auto* refusal = std::get_if<ExplicitEngine::Refusal>(&outcome)) {
      execution.refusal = std::move(refusal->sentence);
      return execution;
    }
    execution.states.push_back(std::move(std::get<ExplicitEngine::States>(outcome)));
  }
  execution.complete = engine.isGoal(execution.states.back());
  return execution;
}

Result<CompactExecution> executeCompactly(const SynthesisHierarchy& hierarchy, const Program& program, RuleSet rules,
                                          const Goal& wanted) {
  const Goal goal = goalOn(hierarchy, wanted);
  const int levels = hierarchy.levelCount();
  if (levels > kMostSynthesisLevels) {
    return Error{"the reduction spans " + countedText(levels, "level") + "; at most " +
                     std::to_string(kMostSynthesisLevels) + " can be worked with",
                 {},
                 ErrorKind::TooLarge};
  }
  SelectionTable selections(hierarchy.sizes());
  CompactExecution execution{{CompactState::of(goal.before, levels)}, {}, false};
  for (const Instruction& instruction : program) {
    const CompactState& before = execution.states.back();
    std::optional<CompactState> after;
    const bool known = goal.collectives.contains(instruction.collective);
    if (known && isAllowed(before, instruction, levels, rules)) after = applyCompact(before, instruction, selections);
    if (!after) {
      execution.refusal =
          "it cannot be applied here, or nothing that follows could complete the sum; the group is too large to tell "
          "why";
      return execution;
    }
    execution.states.push_back(std::move(*after));
  }
  execution.complete = execution.states.back().isDistributedAs(goal.after, selections);
  return execution;
}

}  // namespace p2::inline synthesis
