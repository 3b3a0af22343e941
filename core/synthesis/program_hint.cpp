// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/program_hint.h"

#include <algorithm>
#include <unordered_set>

#include "synthesis/detail/state_space.h"
#include "synthesis/step_words.h"

namespace p2::inline synthesis {
namespace {

constexpr std::size_t kMostSteps = 32;
constexpr std::size_t kMostWayStates = 20'000;

/// Tries changes of one program in compact states.
class HintSearch {
 public:
  HintSearch(const SynthesisHierarchy& hierarchy, const Program& program, RuleSet rules, const Goal& goal)
      : m_hierarchy(hierarchy),
        m_program(program),
        m_rules(rules),
        m_goal(goalOn(hierarchy, goal)),
        m_selections(hierarchy.sizes()),
        m_before{CompactState::of(goal.before, hierarchy.levelCount())} {
    for (const Instruction& instruction : program) {
      auto after = applied(m_before.back(), instruction);
      if (!after) break;
      m_before.push_back(std::move(*after));
    }
    for (const GroupPattern& pattern : groupPatterns(hierarchy)) {
      for (const Collective collective : kCollectives) {
        if (goal.collectives.contains(collective)) m_instructions.push_back({pattern, collective});
      }
    }
  }

  std::optional<ProgramHint> find() {
    if (m_before.size() == m_program.size() + 1 && isGoal(m_before.back())) return std::nullopt;
    if (auto hint = endEarlier()) return hint;
    // A program that only stops too early is changed least by one more step.
    if (last() == m_program.size()) {
      if (auto hint = insertAt(last())) return hint;
    }
    if (auto hint = replaceOne(true)) return hint;
    if (auto hint = removeOne()) return hint;
    if (auto hint = insertOne()) return hint;
    if (auto hint = replaceOne(false)) return hint;
    return goOn();
  }

 private:
  std::optional<CompactState> applied(const CompactState& state, const Instruction& instruction) {
    if (!m_goal.collectives.contains(instruction.collective)) return std::nullopt;
    if (!isAllowed(state, instruction, m_hierarchy.levelCount(), m_rules)) return std::nullopt;
    return applyCompact(state, instruction, m_selections);
  }

  bool isGoal(const CompactState& state) { return state.isDistributedAs(m_goal.after, m_selections); }

  /// Whether the program's steps from `step` on lead from a state to the goal.
  bool restReaches(CompactState state, std::size_t step) {
    for (; step < m_program.size(); ++step) {
      auto after = applied(state, m_program[step]);
      if (!after) return false;
      state = std::move(*after);
    }
    return isGoal(state);
  }

  /// The last step at which a change can begin: the one that cannot run, or the one after the end.
  [[nodiscard]] std::size_t last() const { return m_before.size() - 1; }

  [[nodiscard]] std::string stepText(std::size_t step) const { return "step " + std::to_string(step + 1); }
  [[nodiscard]] std::string text(const Instruction& instruction) const { return stepWords(m_hierarchy, instruction); }

  std::optional<ProgramHint> endEarlier() {
    for (std::size_t step = 0; step < m_before.size() && step < m_program.size(); ++step) {
      if (!isGoal(m_before[step])) continue;
      Program shorter(m_program.begin(), m_program.begin() + static_cast<std::ptrdiff_t>(step));
      return ProgramHint{ProgramHint::Change::EndAt, step, std::move(shorter),
                         "end the program before " + stepText(step) + ": the goal is reached there"};
    }
    return std::nullopt;
  }

  std::optional<ProgramHint> replaceOne(bool halfKept) {
    for (std::size_t step = std::min(last() + 1, m_program.size()); step-- > 0;) {
      const Instruction& old = m_program[step];
      for (const Instruction& other : m_instructions) {
        if (other == old || (other.pattern == old.pattern || other.collective == old.collective) != halfKept) continue;
        const auto after = applied(m_before[step], other);
        if (!after || !restReaches(*after, step + 1)) continue;
        Program changed = m_program;
        changed[step] = other;
        return ProgramHint{ProgramHint::Change::Replace, step, std::move(changed),
                           "make " + stepText(step) + " " + text(other)};
      }
    }
    return std::nullopt;
  }

  std::optional<ProgramHint> removeOne() {
    for (std::size_t step = std::min(last() + 1, m_program.size()); step-- > 0;) {
      if (m_program.size() == 1 || !restReaches(m_before[step], step + 1)) continue;
      Program changed = m_program;
      changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(step));
      return ProgramHint{ProgramHint::Change::Remove, step, std::move(changed),
                         "remove " + stepText(step) + ", " + text(m_program[step])};
    }
    return std::nullopt;
  }

  std::optional<ProgramHint> insertOne() {
    for (std::size_t step = last() + 1; step-- > 0;) {
      if (auto hint = insertAt(step)) return hint;
    }
    return std::nullopt;
  }

  std::optional<ProgramHint> insertAt(std::size_t step) {
    for (const Instruction& other : m_instructions) {
      const auto after = applied(m_before[step], other);
      if (!after || !restReaches(*after, step)) continue;
      Program changed = m_program;
      changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(step), other);
      const std::string added = step == m_program.size() ? "add " + text(other) + " at the end"
                                                         : "insert " + text(other) + " before " + stepText(step);
      return ProgramHint{ProgramHint::Change::Insert, step, std::move(changed), added};
    }
    return std::nullopt;
  }

  std::optional<ProgramHint> goOn() {
    for (std::size_t kept = last() + 1; kept-- > 0;) {
      const auto way = shortestWay(m_before[kept]);
      if (!way) continue;
      Program changed(m_program.begin(), m_program.begin() + static_cast<std::ptrdiff_t>(kept));
      changed.insert(changed.end(), way->begin(), way->end());
      const std::string after = kept == 0 ? "start again with " : "continue after " + stepText(kept - 1) + " with ";
      return ProgramHint{ProgramHint::Change::GoOn, kept, std::move(changed), after + programWords(m_hierarchy, *way)};
    }
    return std::nullopt;
  }

  /// Breadth first, bounded.
  std::optional<Program> shortestWay(const CompactState& from) {
    struct Met {
      CompactState state;
      std::size_t before = 0;
      Instruction by;
    };
    StateSpace space(m_hierarchy.sizes(), m_rules, kNoLimit, m_goal);
    std::vector<Met> met{{from, 0, {}}};
    std::unordered_set<std::string> known{space.keyOf(from)};
    for (std::size_t i = 0; i < met.size() && met.size() < kMostWayStates; ++i) {
      if (space.isGoal(met[i].state)) {
        Program way;
        for (std::size_t at = i; at != 0; at = met[at].before) way.insert(way.begin(), met[at].by);
        return way;
      }
      for (StateSpace::Step& step : space.stepsFrom(met[i].state, 0)) {
        if (known.insert(space.keyOf(step.after)).second) met.push_back({std::move(step.after), i, step.instruction});
      }
    }
    return std::nullopt;
  }

  const SynthesisHierarchy& m_hierarchy;
  const Program& m_program;
  RuleSet m_rules;
  Goal m_goal;
  SelectionTable m_selections;
  std::vector<CompactState> m_before;  // before every step up to the first that cannot run, and after the last
  std::vector<Instruction> m_instructions;
};

}  // namespace

std::optional<ProgramHint> programHint(const SynthesisHierarchy& hierarchy, const Program& program, RuleSet rules,
                                       const Goal& goal) {
  const bool tractable = checkSynthesisLevels(hierarchy.sizes().size()).ok() && program.size() <= kMostSteps;
  if (!tractable || hierarchy.levelCount() == 0) return std::nullopt;
  return HintSearch(hierarchy, program, rules, goal).find();
}

}  // namespace p2::inline synthesis
