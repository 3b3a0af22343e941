// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "synthesis/detail/selection_table.h"
#include "synthesis/state_graph.h"

namespace p2::inline synthesis {

/// The states on the way to a goal over one hierarchy, and the instructions between them, as a search meets them:
/// nothing is stored here.
class StateSpace {
 public:
  struct Step {
    Instruction instruction;
    CompactState after;
  };

  /// Programs of at most `limit` steps over levels of the given sizes; the goal is as goalOn() has it there.
  StateSpace(const std::vector<std::int64_t>& sizes, RuleSet rules, int limit, const Goal& goal = kAllReduceGoal);

  [[nodiscard]] int levels() const { return m_levels; }
  /// The state in which programs begin.
  [[nodiscard]] const CompactState& first() const { return m_first; }
  /// Whether a program ends here. Several states can be final if some devices may hold anything, or if the order of
  /// splits matters.
  [[nodiscard]] bool isGoal(const CompactState& state) { return state.isDistributedAs(m_goal.after, m_selections); }
  /// The legal instructions in a state that takes `depth` steps to reach, in instruction order; without those after
  /// which no program can end within the limit, and none once the goal is reached.
  [[nodiscard]] std::vector<Step> stepsFrom(const CompactState& state, int depth);
  /// The state as bytes, without parts that no later instruction depends on: states with equal keys have the same
  /// programs to the goal. Under `paper` nothing depends on the order in which chunks were split. Under `all` a
  /// ReduceScatter splits the result of earlier splits, and a Broadcast compares them, so the order counts until
  /// everything is summed. After that only a Scatter splits again, and it suffices to know which classes select the
  /// same.
  [[nodiscard]] std::string keyOf(const CompactState& state);

 private:
  [[nodiscard]] bool mayEnd(const CompactState& state, int depth);
  [[nodiscard]] int stepsNeeded(const CompactState& state);
  [[nodiscard]] int fewestSums(unsigned unsummed) const;
  [[nodiscard]] bool isDeadEnd(const CompactState& state) const;
  std::string contentOf(const ClassState& entry, bool cutsRemain, std::vector<int>& selections);
  void appendSelections(std::string& content, const ClassState& entry, std::vector<int>& met);

  int m_levels;
  RuleSet m_rules;
  int m_limit;
  Goal m_goal;
  CompactState m_first;
  ClassState m_wanted;  // final data of the devices that are first on every level
  SelectionTable m_selections;
  std::vector<Instruction> m_instructions;
  std::vector<LevelSet> m_along;  // the levels of patterns that vary no run of them
};

/// Refuses hierarchies of more than kMostSynthesisLevels levels.
[[nodiscard]] Result<void> checkSynthesisLevels(std::size_t levels);

}  // namespace p2::inline synthesis
