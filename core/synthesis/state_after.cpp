// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/detail/state_after.h"

#include <algorithm>

namespace p2::inline synthesis {

StateAfter::StateAfter(const Placement& placement, const SynthesisHierarchy& hierarchy, RuleSet rules, const Goal& goal,
                       const ProgramTrace& trace, int steps)
    : m_placement(placement),
      m_hierarchy(hierarchy),
      m_rules(rules),
      m_goal(goal),
      m_trace(trace),
      m_steps(steps),
      m_selections(hierarchy.sizes()) {
  followCompactly();
  if (!trace.isExplicit()) return;
  for (const Device device : placement.groupMembers(0)) m_matrices.push_back(trace.matrixOf(device, steps));
  m_explicit = std::make_unique<ExplicitEngine>(placement, hierarchy, rules, goal);
}

void StateAfter::followCompactly() {
  m_compact = CompactState::of(m_goal.before, m_hierarchy.levelCount());
  for (int step = 0; step < m_steps && m_compact; ++step) {
    m_compact = applyCompact(*m_compact, m_trace.program()[static_cast<std::size_t>(step)], m_selections);
  }
}

bool StateAfter::isGoal() {
  if (m_compact) return m_compact->isDistributedAs(m_goal.after, m_selections);
  return m_explicit && m_explicit->isGoal(m_matrices);
}

// Compact states quickly decide that most instructions can run; for the others the engines find the failing premise, or
// find that they run after all because of the sizes.
StateAfter::Outcome StateAfter::outcomeOf(const Instruction& instruction) {
  if (m_compact && isAllowed(*m_compact, instruction, m_hierarchy.levelCount(), m_rules)) {
    if (const auto after = applyCompact(*m_compact, instruction, m_selections)) {
      return {{}, false, after->isDistributedAs(m_goal.after, m_selections)};
    }
  }
  return m_explicit ? explicitOutcome(instruction) : foldedOutcome(instruction);
}

StateAfter::Outcome StateAfter::explicitOutcome(const Instruction& instruction) {
  auto outcome = m_explicit->apply(m_matrices, instruction);
  if (auto* failure = std::get_if<PremiseFailure>(&outcome)) {
    std::string sentence = failure->sentence;
    return {StepFailure{std::move(*failure), std::move(sentence)}, false, false};
  }
  if (auto* refusal = std::get_if<ExplicitEngine::Refusal>(&outcome)) {
    return {StepFailure{{}, std::move(refusal->sentence)}, false, false};
  }
  return {{}, false, m_explicit->isGoal(std::get<ExplicitEngine::States>(outcome))};
}

StateAfter::Outcome StateAfter::foldedOutcome(const Instruction& instruction) {
  Outcome unknown{{}, true, false};
  if (m_hierarchy.deviceCount() > kMostFoldedMembers) return unknown;
  if (!m_folded) {
    m_folded = std::make_unique<FoldedEngine>(m_placement, m_hierarchy, m_rules, m_goal);
    const auto regular = std::min<std::size_t>(m_trace.compactStates().size() - 1, static_cast<std::size_t>(m_steps));
    m_foldedStates = m_folded->statesOf(m_trace.compactStates()[regular]);
    for (auto step = regular; step < static_cast<std::size_t>(m_steps); ++step) {
      auto outcome = m_folded->apply(m_foldedStates, m_trace.program()[step]);
      if (!outcome || !std::holds_alternative<FoldedEngine::States>(*outcome)) return unknown;
      m_foldedStates = std::move(std::get<FoldedEngine::States>(*outcome));
    }
  }
  auto failure = m_folded->failureOf(m_foldedStates, instruction, m_compact.has_value());
  if (!failure) return unknown;
  return {std::move(*failure), false, false};
}

}  // namespace p2::inline synthesis
