// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/synthesis.
#pragma once

#include <memory>

#include "synthesis/detail/explicit_engine.h"
#include "synthesis/detail/folded_engine.h"
#include "synthesis/detail/selection_table.h"
#include "synthesis/program_trace.h"

namespace p2::inline synthesis {

/// The state after the first steps of a trace, for trying instructions; uses whichever engine can decide.
class StateAfter {
 public:
  struct Outcome {
    std::optional<StepFailure> failure;  ///< why the instruction cannot run
    bool unknown = false;                ///< too irregular to tell
    bool reachesGoal = false;
  };

  /// All of these must outlive it.
  StateAfter(const Placement& placement, const SynthesisHierarchy& hierarchy, RuleSet rules, const Goal& goal,
             const ProgramTrace& trace, int steps);

  [[nodiscard]] bool isGoal();
  [[nodiscard]] Outcome outcomeOf(const Instruction& instruction);

 private:
  void followCompactly();
  [[nodiscard]] Outcome explicitOutcome(const Instruction& instruction);
  [[nodiscard]] Outcome foldedOutcome(const Instruction& instruction);

  const Placement& m_placement;
  const SynthesisHierarchy& m_hierarchy;
  RuleSet m_rules;
  const Goal& m_goal;
  const ProgramTrace& m_trace;
  int m_steps;
  SelectionTable m_selections;
  std::optional<CompactState> m_compact;  // nothing once devices of one class hold different things
  ExplicitEngine::States m_matrices;
  std::unique_ptr<ExplicitEngine> m_explicit;
  std::unique_ptr<FoldedEngine> m_folded;
  FoldedEngine::States m_foldedStates;
};

}  // namespace p2::inline synthesis
