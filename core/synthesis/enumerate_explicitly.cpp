// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>

#include "base/counted.h"
#include "synthesis/detail/explicit_engine.h"
#include "synthesis/execution.h"

namespace p2::inline synthesis {
namespace {

/// Depth-first search for programs of one exact size over states that are explored once each.
class ExplicitSearch {
 public:
  ExplicitSearch(const Placement& placement, const SynthesisHierarchy& hierarchy, RuleSet rules, const Goal& goal)
      : m_engine(placement, hierarchy, rules, goal) {
    for (const GroupPattern& pattern : groupPatterns(hierarchy)) {
      for (const Collective collective : kCollectives) {
        if (goal.collectives.contains(collective)) m_instructions.push_back({pattern, collective});
      }
    }
    nodeOf(m_engine.initial());
  }

  Result<std::vector<Program>> programsUpTo(int limit) {
    std::vector<Program> programs;
    for (int size = 1; size <= limit && !isFull(); ++size) {
      Program prefix;
      extend(0, size, prefix, programs);
    }
    if (!isFull()) return programs;
    return Error{"explicit search needs more than " + countedText(m_nodes.size(), "state") + " of " +
                     countedText(m_engine.memberCount(), "bit matrix", "bit matrices") +
                     "; use a smaller size limit, fewer devices or "
                     "the hierarchy reduction",
                 {},
                 ErrorKind::TooLarge};
  }

 private:
  struct Node {
    const ExplicitEngine::States* states = nullptr;  // the key in m_numbers
    bool goal = false;
    bool expanded = false;
    std::vector<std::pair<Instruction, int>> edges;
    std::map<int, bool> reaches;  // whether the goal is exactly this number of steps away
  };

  static constexpr std::size_t kMostBytes = std::size_t{1} << 29;

  [[nodiscard]] bool isFull() const {
    const std::size_t k = static_cast<std::size_t>(m_nodes[0].states->front().size());
    return m_nodes.size() * m_engine.memberCount() * k * ((k + 63) / 64) * sizeof(std::uint64_t) > kMostBytes;
  }

  int nodeOf(ExplicitEngine::States states) {
    const auto [found, isNew] = m_numbers.try_emplace(std::move(states), static_cast<int>(m_nodes.size()));
    if (isNew) m_nodes.push_back({&found->first, m_engine.isGoal(found->first), false, {}, {}});
    return found->second;
  }

  void expand(int number) {
    if (m_nodes[std::size_t(number)].expanded || m_nodes[std::size_t(number)].goal || isFull()) return;
    m_nodes[std::size_t(number)].expanded = true;
    const ExplicitEngine::States& states = *m_nodes[std::size_t(number)].states;
    for (const Instruction& instruction : m_instructions) {
      auto outcome = m_engine.apply(states, instruction);
      auto* after = std::get_if<ExplicitEngine::States>(&outcome);
      if (after == nullptr) continue;
      const int target = nodeOf(std::move(*after));
      m_nodes[std::size_t(number)].edges.push_back({instruction, target});
    }
  }

  bool reachesGoalIn(int number, int steps) {
    if (steps == 0) return m_nodes[std::size_t(number)].goal;
    if (const auto known = m_nodes[std::size_t(number)].reaches.find(steps);
        known != m_nodes[std::size_t(number)].reaches.end()) {
      return known->second;
    }
    expand(number);
    bool reaches = false;
    const auto edges = m_nodes[std::size_t(number)].edges;
    for (const auto& [instruction, target] : edges) reaches = reachesGoalIn(target, steps - 1) || reaches;
    m_nodes[std::size_t(number)].reaches[steps] = reaches;
    return reaches;
  }

  void extend(int number, int steps, Program& prefix, std::vector<Program>& programs) {
    if (!reachesGoalIn(number, steps)) return;
    if (steps == 0) {
      programs.push_back(prefix);
      return;
    }
    const auto edges = m_nodes[std::size_t(number)].edges;
    for (const auto& [instruction, target] : edges) {
      prefix.push_back(instruction);
      extend(target, steps - 1, prefix, programs);
      prefix.pop_back();
    }
  }

  ExplicitEngine m_engine;
  std::vector<Instruction> m_instructions;
  std::vector<Node> m_nodes;
  std::map<ExplicitEngine::States, int> m_numbers;
};

}  // namespace

Result<std::vector<Program>> enumerateExplicitly(const Placement& placement, const SynthesisHierarchy& hierarchy,
                                                 RuleSet rules, int limit, const Goal& goal) {
  const std::int64_t members =
      hierarchy.kind() == HierarchyKind::ReductionAxes ? hierarchy.deviceCount() : placement.deviceCount();
  if (members > kMostExplicitMembers) {
    return Error{"explicit search over " + countedText(members, "device") + " would not end; use at most " +
                     std::to_string(kMostExplicitMembers) + " devices or the hierarchy reduction",
                 {},
                 ErrorKind::TooLarge};
  }
  return ExplicitSearch(placement, hierarchy, rules, goal).programsUpTo(limit);
}

}  // namespace p2::inline synthesis
