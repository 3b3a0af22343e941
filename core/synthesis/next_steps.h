// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "synthesis/detail/lost_part.h"
#include "synthesis/program_trace.h"
#include "synthesis/state_graph.h"

namespace p2::inline synthesis {

/// One instruction as the next step of a program.
struct NextStep {
  Instruction instruction;
  std::optional<StepFailure> failure;  ///< why it cannot run; empty if it can
  bool unknown = false;                ///< the data of the devices is too irregular to decide
  bool reachesGoal = false;
  std::optional<LostPart> deadEnd;  ///< it can run, but no program reaches the goal after it, and why
  /// Fewest steps to the goal after this one; 0 if it is reached. None if it cannot run, if it leads to a dead end,
  /// or if the hierarchy has too many levels.
  std::optional<int> furtherSteps;
  /// This step and the cheapest way on, if the guide knows prices.
  std::optional<double> bestSeconds;

  [[nodiscard]] bool runs() const { return !failure && !unknown; }
};

/// Everything about the state that a program has led to.
struct NextSteps {
  bool atGoal = false;              ///< the goal is reached: programs end here
  std::optional<LostPart> deadEnd;  ///< the goal is out of reach already
  std::optional<int> furtherSteps;  ///< fewest steps to the goal from here
  std::vector<NextStep> steps;      ///< every instruction of the goal's collectives, by groups, then by collective
};

/// Knows the ways to the goal on one placement, and so what every next step of a program is worth. Made once per
/// placement; a shared, immutable value.
class ProgramGuide {
 public:
  /// Explores all states from which the goal can be reached, for programs of any length: above kMostGuidedLevels levels
  /// `known`, a graph of the same hierarchy, rules and goal, is used instead, and anything not in it is unknown.
  /// Errors: cancelled, more levels than kMostSynthesisLevels.
  [[nodiscard]] static Result<std::shared_ptr<const ProgramGuide>> make(const Placement& placement,
                                                                        const SynthesisHierarchy& hierarchy,
                                                                        RuleSet rules, const Goal& goal,
                                                                        std::shared_ptr<const StateGraph> known = {},
                                                                        std::stop_token stop = {});

  /// The graph that prices refer to; nothing without one.
  [[nodiscard]] const std::shared_ptr<const StateGraph>& graph() const { return m_graph; }
  /// This guide with a price for every edge of graph().
  [[nodiscard]] std::shared_ptr<const ProgramGuide> priced(const std::vector<double>& edgeSeconds) const;

  /// All instructions after the first `steps` steps of a trace, which is one of this placement, rules and goal; at
  /// most trace.validSteps(). One pass: an instruction costs O(4^levels) if it leads on regularly, else one look at the
  /// groups up to the first that fails, above kMostExplicitMembers one of every kind first. Why a dead end is
  /// one takes a search of its own (lostPartAfter()), which `explain` asks for and which ends early when told to stop.
  [[nodiscard]] NextSteps after(const ProgramTrace& trace, int steps, bool explain = true,
                                const std::stop_token& stop = {}) const;

 private:
  ProgramGuide(const Placement& placement, const SynthesisHierarchy& hierarchy, RuleSet rules, const Goal& goal)
      : m_placement(placement), m_hierarchy(hierarchy), m_rules(rules), m_goal(goalOn(hierarchy, goal)) {}
  [[nodiscard]] std::optional<int> nodeAfter(const Program& program) const;
  void judge(NextStep& step, std::optional<int> node, const Program& longer, bool explain,
             const std::stop_token& stop) const;

  Placement m_placement;
  SynthesisHierarchy m_hierarchy;
  RuleSet m_rules;
  Goal m_goal;
  std::shared_ptr<const StateGraph> m_graph;
  bool m_complete = true;             // whether states that are not in the graph are dead ends
  std::vector<double> m_edgeSeconds;  // of every edge, if there are prices
  std::vector<double> m_bestSeconds;  // from every node to the goal
};

/// Hierarchies of more levels have too many states to explore them all.
inline constexpr int kMostGuidedLevels = 4;

/// Cheapest way from every node of a graph to its goal, given the price of every edge. O(edges).
[[nodiscard]] std::vector<double> cheapestCompletions(const StateGraph& graph, const std::vector<double>& edgeSeconds);

}  // namespace p2::inline synthesis
