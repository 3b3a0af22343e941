// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/next_steps.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "synthesis/detail/explicit_engine.h"
#include "synthesis/detail/folded_engine.h"
#include "synthesis/detail/selection_table.h"
#include "synthesis/detail/state_space.h"
#include "synthesis/program_trace.h"

namespace p2::inline synthesis {
namespace {

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

/// The edge of a node with that instruction; null if there is none.
const StateEdge* edgeOf(const StateGraph& graph, int node, const Instruction& instruction) {
  const auto first = graph.edges().begin() + static_cast<std::ptrdiff_t>(graph.firstEdge(node));
  const auto last = graph.edges().begin() + static_cast<std::ptrdiff_t>(graph.firstEdge(node + 1));
  const auto found = std::find_if(first, last, [&](const StateEdge& edge) { return edge.instruction == instruction; });
  return found == last ? nullptr : &*found;
}

}  // namespace

std::vector<double> cheapestCompletions(const StateGraph& graph, const std::vector<double>& edgeSeconds) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  std::vector<double> best(static_cast<std::size_t>(graph.nodeCount()), kNever);
  std::vector<bool> done(best.size(), false);
  // Depth first: a node is settled when all its targets are. The graph has no circles.
  std::vector<int> open{StateGraph::start()};
  while (!open.empty()) {
    const int node = open.back();
    const auto own = static_cast<std::size_t>(node);
    if (graph.isGoal(node)) best[own] = 0;
    const std::size_t pending = open.size();
    for (std::size_t e = graph.firstEdge(node); e < graph.firstEdge(node + 1); ++e) {
      const int target = graph.edges()[e].target;
      if (!done[static_cast<std::size_t>(target)]) {
        open.push_back(target);
      } else {
        best[own] = std::min(best[own], edgeSeconds[e] + best[static_cast<std::size_t>(target)]);
      }
    }
    if (open.size() > pending) continue;
    done[own] = true;
    open.pop_back();
  }
  return best;
}

Result<std::shared_ptr<const ProgramGuide>> ProgramGuide::make(const Placement& placement,
                                                               const SynthesisHierarchy& hierarchy, RuleSet rules,
                                                               const Goal& goal,
                                                               std::shared_ptr<const StateGraph> known,
                                                               std::stop_token stop) {
  P2_TRY(checkSynthesisLevels(hierarchy.sizes().size()));
  std::shared_ptr<ProgramGuide> guide(new ProgramGuide(placement, hierarchy, rules, goal));
  guide->m_complete = hierarchy.levelCount() <= kMostGuidedLevels;
  guide->m_graph = std::move(known);
  if (guide->m_complete) {
    P2_TRY_ASSIGN(guide->m_graph, StateGraph::build(hierarchy.sizes(), rules, kNoLimit, stop, guide->m_goal));
  }
  return std::shared_ptr<const ProgramGuide>(std::move(guide));
}

std::shared_ptr<const ProgramGuide> ProgramGuide::priced(const std::vector<double>& edgeSeconds) const {
  auto guide = std::make_shared<ProgramGuide>(*this);
  guide->m_edgeSeconds = edgeSeconds;
  guide->m_bestSeconds = cheapestCompletions(*m_graph, edgeSeconds);
  return guide;
}

std::optional<int> ProgramGuide::nodeAfter(const Program& program) const {
  if (!m_graph) return std::nullopt;
  int node = StateGraph::start();
  for (const Instruction& instruction : program) {
    const StateEdge* edge = edgeOf(*m_graph, node, instruction);
    if (edge == nullptr) return std::nullopt;
    node = edge->target;
  }
  return node;
}

void ProgramGuide::judge(NextStep& step, std::optional<int> node, const Program& longer, bool explain,
                         const std::stop_token& stop) const {
  if (step.reachesGoal) step.furtherSteps = 0;
  const StateEdge* edge = node ? edgeOf(*m_graph, *node, step.instruction) : nullptr;
  if (edge != nullptr) {
    step.furtherSteps = m_graph->distance(edge->target);
    if (m_bestSeconds.empty()) return;
    const auto number = static_cast<std::size_t>(edge - m_graph->edges().data());
    step.bestSeconds = m_edgeSeconds[number] + m_bestSeconds[static_cast<std::size_t>(edge->target)];
  } else if (!step.reachesGoal && m_complete) {
    step.deadEnd = explain ? lostPartAfter(m_placement, m_hierarchy, longer, m_rules, m_goal, stop) : LostPart{};
  }
}

NextSteps ProgramGuide::after(const ProgramTrace& trace, int steps, bool explain, const std::stop_token& stop) const {
  Program program(trace.program().begin(), trace.program().begin() + steps);
  StateAfter state(m_placement, m_hierarchy, m_rules, m_goal, trace, steps);
  const std::optional<int> node = nodeAfter(program);
  NextSteps next;
  next.atGoal = state.isGoal();
  if (next.atGoal) next.furtherSteps = 0;
  if (node) next.furtherSteps = m_graph->distance(*node);
  if (!node && m_complete && !next.atGoal) {
    next.deadEnd = explain ? lostPartAfter(m_placement, m_hierarchy, program, m_rules, m_goal, stop) : LostPart{};
  }
  for (const GroupPattern& pattern : groupPatterns(m_hierarchy)) {
    for (const Collective collective : kCollectives) {
      if (!m_goal.collectives.contains(collective)) continue;
      NextStep& step = next.steps.emplace_back();
      step.instruction = {pattern, collective};
      StateAfter::Outcome outcome = state.outcomeOf(step.instruction);
      step.failure = std::move(outcome.failure);
      step.unknown = outcome.unknown;
      step.reachesGoal = outcome.reachesGoal;
      if (!step.runs()) continue;
      program.push_back(step.instruction);
      judge(step, node, program, explain, stop);
      program.pop_back();
    }
  }
  return next;
}

}  // namespace p2::inline synthesis
