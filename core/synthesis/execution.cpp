// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/execution.h"

#include "synthesis/explicit_engine.h"

namespace p2 {

Result<Execution> execute(const Placement& placement, const SynthesisHierarchy& hierarchy, const Program& program,
                          RuleSet rules) {
  const Device members = hierarchy.kind() == HierarchyKind::ReductionAxes ? hierarchy.deviceCount()
                                                                           : placement.deviceCount();
  if (members > kMostExplicitMembers) {
    return Error{"the bit matrices of " + std::to_string(members) + " devices are too large to compute; at most " +
                     std::to_string(kMostExplicitMembers) + " can be shown", {}, ErrorKind::TooLarge};
  }
  ExplicitEngine engine(placement, hierarchy, rules);
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

Result<std::vector<CompactState>> compactStates(const SynthesisHierarchy& hierarchy, const Program& program,
                                                RuleSet rules) {
  const std::vector<std::int64_t> sizes = hierarchy.sizes();
  if (hierarchy.levelCount() > kMostSynthesisLevels) {
    return Error{"the reduction spans " + std::to_string(sizes.size()) + " levels; at most " +
                     std::to_string(kMostSynthesisLevels) + " can be worked with", {}, ErrorKind::TooLarge};
  }
  std::vector<CompactState> states{CompactState::initial(hierarchy.levelCount())};
  for (const Instruction& instruction : program) {
    auto after = isAllowed(states.back(), instruction, hierarchy.levelCount(), rules)
                     ? applyCompact(states.back(), instruction, sizes)
                     : std::nullopt;
    if (!after) {
      return Error{instructionText(hierarchy, instruction) + " does not apply: a premise fails, or the sum is out of "
                   "reach after it", "step " + std::to_string(states.size())};
    }
    states.push_back(std::move(*after));
  }
  return states;
}

}  // namespace p2
