// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include "lesson/detail/page_parts.h"
#include "lesson/detail/web_parts.h"
#include "lesson/lesson_web.h"
#include "synthesis/step_words.h"

namespace p2::inline lesson {
namespace {

/// Largest number of messages of all steps together, some 50 bytes each. A step that would exceed them is drawn by its
/// holdings.
constexpr std::size_t kMostComposedMessages = 40'000;

/// Walks from the beginning, step by step, and numbers the states that it meets.
class StateWalk {
 public:
  StateWalk(const PreparedPage& prepared, std::size_t depth)
      : m_prepared(prepared), m_depth(depth), m_table(int(prepared.trace->chunks())) {
    const SynthesisHierarchy& hierarchy = *prepared.result().hierarchy;
    for (const Collective collective : kCollectives) {
      if (!prepared.exploration->workspace.options.goal.collectives.contains(collective)) continue;
      for (const GroupPattern& pattern : groupPatterns(hierarchy)) m_steps.push_back({pattern, collective});
    }
  }

  Result<void> run(std::stop_token stop) {
    P2_TRY_ASSIGN(const auto start, traceOf(m_prepared, {}));
    (void)numberOf(statesJson(m_prepared, start, 0, m_table), {}, start.complete());
    for (std::size_t node = 0; node < m_programs.size(); ++node) {
      if (stop.stop_requested()) return cancelledError();
      P2_TRY(follow(node));
    }
    return {};
  }

  [[nodiscard]] Json asked() const {
    const SynthesisHierarchy& hierarchy = *m_prepared.result().hierarchy;
    Json steps = Json::array();
    for (const Instruction& each : m_steps) {
      steps.push_back({{"title", stepWords(hierarchy, each)},
                       {"text", programText(hierarchy, {each})},
                       {"collective", std::string(nameOf(each.collective))},
                       {"groups", groupsJson(hierarchy.groups(each.pattern))}});
    }
    return steps;
  }
  [[nodiscard]] Json key() const {
    return {{"states", m_states}, {"rows", m_table.rows()}, {"goals", m_goals},
            {"edges", m_edges},   {"moves", m_moves},       {"texts", m_texts}};
  }

 private:
  /// −1 where no more states are taken.
  int numberOf(Json state, const Program& program, bool goal) {
    const auto known = m_numbers.find(state);
    if (known != m_numbers.end()) return known->second;
    if (m_states.size() >= static_cast<std::size_t>(kMostWebStates)) return -1;
    const auto number = static_cast<int>(m_states.size());
    m_numbers.emplace(state, number);
    m_states.push_back(std::move(state));
    m_goals.push_back(goal);
    m_programs.push_back(program);
    return number;
  }

  int textNumber(const std::string& text) {
    const auto [known, isNew] = m_textNumbers.try_emplace(text, static_cast<int>(m_texts.size()));
    if (isNew) m_texts.push_back(text);
    return known->second;
  }

  /// Edges of a state: the number of the next state, −1 where the walk ends, −2 − text where the step fails; with the
  /// price and messages of each step that does not fail.
  Result<void> follow(std::size_t node) {
    Json edges = Json::array();
    Json moves = Json::array();
    if (m_programs[node].size() < m_depth) {
      for (const Instruction& step : m_steps) P2_TRY(addEdge(node, step, edges, moves));
    }
    m_edges.push_back(std::move(edges));
    m_moves.push_back(std::move(moves));
    return {};
  }

  Result<void> addEdge(std::size_t node, const Instruction& step, Json& edges, Json& moves) {
    Program program = m_programs[node];
    program.push_back(step);
    P2_TRY_ASSIGN(const auto trace, traceOf(m_prepared, program));
    if (const auto& failure = trace.failure()) {
      const std::string premise = failure->premise ? std::string(nameOf(failure->premise->premise)) : std::string();
      edges.push_back(-2 - textNumber(premise + "|" + failure->sentence));
      moves.push_back(nullptr);
      return {};
    }
    const int last = static_cast<int>(program.size());
    edges.push_back(numberOf(statesJson(m_prepared, trace, last, m_table), program, trace.complete()));
    moves.push_back(edges.back() == -1 ? Json() : moveOf(trace, StepId(last - 1), step));
    return {};
  }

  Json moveOf(const ProgramTrace& trace, StepId step, const Instruction& instruction) {
    Json move = movingStep(m_prepared, trace, step, instruction, m_table);
    const std::size_t messages = move["messages"].size();
    if (m_messages + messages <= kMostComposedMessages) {
      m_messages += messages;
    } else {
      move["messages"] = Json::array();
      move["manner"] = move["manner"].get<std::string>() + " (not drawn)";
    }
    return move;
  }

  const PreparedPage& m_prepared;
  std::size_t m_depth;
  std::size_t m_messages = 0;
  std::vector<Instruction> m_steps;
  RowTable m_table;
  std::vector<Json> m_states;
  std::vector<bool> m_goals;
  std::vector<Program> m_programs;  // a shortest way to each state
  std::map<Json, int> m_numbers;
  std::map<std::string, int> m_textNumbers;
  std::vector<std::string> m_texts;
  Json m_edges = Json::array();
  Json m_moves = Json::array();
};

}  // namespace

Result<ReachableStates> reachableStates(const PreparedPage& prepared, const ComposeTask& task, std::stop_token stop) {
  constexpr std::size_t kMostSteps = 4;
  const std::size_t solution = [&] {
    const auto program = programOf(prepared, task.solution);
    return program.ok() ? program->size() : std::size_t{1};
  }();
  const std::size_t asked = task.atMost ? static_cast<std::size_t>(*task.atMost) : kMostSteps;
  StateWalk walk(prepared, std::max(solution, std::min(asked, kMostSteps)));
  P2_TRY(walk.run(std::move(stop)));
  return ReachableStates{walk.asked(), walk.key()};
}

}  // namespace p2::inline lesson
