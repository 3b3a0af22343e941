// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "base/numbers.h"
#include "synthesis/detail/compact_state.h"

namespace p2::inline synthesis {

/// The set of legal instructions (paper §3.5): Paper keeps Master to states in which all other devices are empty and
/// never broadcasts with it; All accepts every instruction whose premises hold.
enum class RuleSet { Paper, All };

/// "paper", "all", and the rule set of a name; the error lists the names.
[[nodiscard]] std::string_view nameOf(RuleSet rules);

/// Stands for no limit on the steps of a program. Programs end by themselves, since every instruction gains
/// information.
inline constexpr int kNoLimit = 1000;

/// Whether the rule set lets the instruction be tried in this state.
[[nodiscard]] bool isAllowed(const CompactState& state, const Instruction& instruction, int levels, RuleSet rules);

/// The share of the vector that the groups of a pattern work on: those groups whose members are of one class as far as
/// levels outside the pattern go.
struct GroupShare {
  LevelSet outsideClass = 0;  ///< levels outside the pattern on which the members' digits are not zero
  LevelSet split = 0;         ///< the vector is scattered over these: a group works on bytes / ∏ their sizes
  friend auto operator<=>(const GroupShare&, const GroupShare&) = default;
};

/// Data volume of the groups of a step (CollectiveTraits::worksOnResult()), by class of groups; one entry if all are
/// equal.
[[nodiscard]] std::vector<GroupShare> groupShares(const CompactState& before, const CompactState& after,
                                                  const Instruction& instruction);

/// An instruction that can follow a state, and the state that it leads to.
struct StateEdge {
  Instruction instruction;
  int target = 0;
  std::vector<GroupShare> shares;  ///< as groupShares()
};

/// The steps of singleProgram() as edges that lead nowhere: to be priced.
[[nodiscard]] std::vector<StateEdge> singleSteps(const SynthesisHierarchy& hierarchy, const Goal& goal);

/// The states from which the goal can be reached, and the instructions between them. The best program is a shortest
/// path in it. Acyclic: every instruction gains information.
///
/// Under `paper` no rule ever asks in which order chunks were split. So states that differ in nothing else are one
/// node, and the graph is the same for all hierarchies of as many levels. Under `all` it depends on the levels' sizes
/// as well (StateSpace::keyOf).
class StateGraph {
 public:
  /// Explores from where the goal begins, over levels of the given sizes, as far as programs of at most `limit` steps
  /// go. Errors: cancelled; too large, which is more than kMostSynthesisLevels levels or more states than fit about 1
  /// GB.
  [[nodiscard]] static Result<std::shared_ptr<const StateGraph>> build(const std::vector<std::int64_t>& sizes,
                                                                       RuleSet rules, int limit = kNoLimit,
                                                                       std::stop_token stop = {},
                                                                       const Goal& goal = kAllReduceGoal);

  [[nodiscard]] int levels() const { return m_levels; }
  [[nodiscard]] RuleSet rules() const { return m_rules; }
  [[nodiscard]] int nodeCount() const { return static_cast<int>(m_states.size()); }
  /// A state of the node, one of several that differ in the order of their splits.
  [[nodiscard]] const CompactState& state(int node) const { return m_states[static_cast<std::size_t>(node)]; }
  [[nodiscard]] static constexpr int start() { return 0; }
  /// Whether the goal is reached in the node: there programs end, and no edge leads on.
  [[nodiscard]] bool isGoal(int node) const { return m_distance[static_cast<std::size_t>(node)] == 0; }
  /// All edges, grouped by node, in instruction order: edges()[firstEdge(n)] … edges()[firstEdge(n+1) − 1].
  [[nodiscard]] const std::vector<StateEdge>& edges() const { return m_edges; }
  [[nodiscard]] std::size_t firstEdge(int node) const { return m_firstEdge[static_cast<std::size_t>(node)]; }
  /// Fewest steps from a node to one in which the goal is reached.
  [[nodiscard]] int distance(int node) const { return m_distance[static_cast<std::size_t>(node)]; }

  /// Programs of at most 1, 2, … `limit` steps, the limit of build() at most. Exact, O(limit · edges).
  [[nodiscard]] std::vector<Count> countsUpTo(int limit) const;

 private:
  int m_levels = 0;
  RuleSet m_rules = RuleSet::Paper;
  std::vector<CompactState> m_states;
  std::vector<StateEdge> m_edges;
  std::vector<std::size_t> m_firstEdge;
  std::vector<int> m_distance;
  friend class StateGraphBuilder;
};

}  // namespace p2::inline synthesis
