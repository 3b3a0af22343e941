// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/program_count.h"

#include <deque>
#include <unordered_map>

#include "base/counted.h"
#include "synthesis/detail/state_space.h"

namespace p2::inline synthesis {
namespace {

class ProgramCounter {
 public:
  ProgramCounter(const std::vector<std::int64_t>& sizes, RuleSet rules, int limit, const Goal& goal)
      : m_space(sizes, rules, limit, goal), m_limit(limit) {}

  Result<std::vector<Count>> count(const std::stop_token& stop) {
    const std::size_t mostStates = kMostEntries >> m_space.levels();
    nodeOf(m_space.first(), 0);
    while (!m_open.empty()) {
      if (stop.stop_requested()) return cancelledError();
      if (m_nodes.size() > mostStates) {
        return Error{"programs of " + countedText(m_space.levels(), "level") + " pass through more than " +
                         countedText(mostStates, "state") + "; use a smaller size limit or the rule set paper",
                     {},
                     ErrorKind::TooLarge};
      }
      expand();
    }
    return countsToGoal();
  }

 private:
  static constexpr std::size_t kMostEntries = std::size_t{1} << 28;

  struct Open {
    CompactState state;
    int depth = 0;
  };

  // States are opened and expanded in the order of their numbers, breadth first.
  std::uint32_t nodeOf(CompactState state, int depth) {
    const auto [found, isNew] = m_nodes.try_emplace(m_space.keyOf(state), static_cast<std::uint32_t>(m_nodes.size()));
    if (isNew && m_space.isGoal(state)) m_goals.push_back(found->second);
    if (isNew) m_open.push_back({std::move(state), depth});
    return found->second;
  }

  void expand() {
    const Open open = std::move(m_open.front());
    m_open.pop_front();
    m_firstTarget.push_back(m_targets.size());
    for (StateSpace::Step& step : m_space.stepsFrom(open.state, open.depth)) {
      m_targets.push_back(nodeOf(std::move(step.after), open.depth + 1));
    }
  }

  std::vector<Count> countsToGoal() {
    m_firstTarget.push_back(m_targets.size());
    std::vector<Count> exactly(m_nodes.size(), 0);  // programs of exactly `size` steps from each state
    for (const std::uint32_t goal : m_goals) exactly[goal] = 1;
    std::vector<Count> totals;
    Count total = exactly[0];
    for (int size = 1; size <= m_limit; ++size) {
      std::vector<Count> longer(m_nodes.size(), 0);
      for (std::size_t node = 0; node < longer.size(); ++node) {
        for (std::size_t i = m_firstTarget[node]; i < m_firstTarget[node + 1]; ++i) {
          longer[node] += exactly[m_targets[i]];
        }
      }
      exactly = std::move(longer);
      total += exactly[0];
      totals.push_back(total);
    }
    return totals;
  }

  StateSpace m_space;
  int m_limit;
  std::unordered_map<std::string, std::uint32_t> m_nodes;
  std::vector<std::uint32_t> m_goals;
  std::deque<Open> m_open;
  std::vector<std::uint32_t> m_targets;
  std::vector<std::size_t> m_firstTarget;
};

}  // namespace

Result<std::vector<Count>> countPrograms(const std::vector<std::int64_t>& sizes, RuleSet rules, int limit,
                                         std::stop_token stop, const Goal& goal) {
  P2_TRY(checkSynthesisLevels(sizes.size()));
  return ProgramCounter(sizes, rules, limit, goal).count(stop);
}

}  // namespace p2::inline synthesis
