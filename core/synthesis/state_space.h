// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "synthesis/selection_table.h"
#include "synthesis/state_graph.h"

namespace p2 {

/// The states of one hierarchy and the instructions between them, as a search meets them: nothing is stored here.
class StateSpace {
 public:
  struct Step {
    Instruction instruction;
    CompactState after;
  };

  /// Programs of at most `limit` steps over levels of the given sizes.
  StateSpace(const std::vector<std::int64_t>& sizes, RuleSet rules, int limit);

  [[nodiscard]] int levels() const { return m_levels; }
  /// The legal instructions of a state that `depth` steps lead to, in instruction order; not those after which no
  /// program can end within the limit.
  [[nodiscard]] std::vector<Step> stepsFrom(const CompactState& state, int depth);
  /// The state as bytes, less what no instruction will ever ask about: states with equal keys have the same programs to
  /// the goal. Under `paper` that is the order of all splits. Under `all` a ReduceScatter cuts what the splits before
  /// it left, and a Broadcast compares such cuts, so their order matters until everything is summed; from then on
  /// nothing is cut any more and what matters is which classes select alike.
  [[nodiscard]] std::string keyOf(const CompactState& state);

 private:
  [[nodiscard]] bool mayEnd(const CompactState& state, int depth) const;
  std::string contentOf(const ClassState& entry, bool cutsRemain, std::vector<int>& selections);
  void appendSelections(std::string& content, const ClassState& entry, std::vector<int>& met);

  int m_levels;
  RuleSet m_rules;
  int m_limit;
  SelectionTable m_selections;
  std::vector<Instruction> m_instructions;
};

/// Refuses hierarchies of more than kMostSynthesisLevels levels.
[[nodiscard]] Result<void> checkSynthesisLevels(std::size_t levels);

}  // namespace p2
