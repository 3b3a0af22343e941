// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/state_graph.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "base/counted.h"
#include "collective/collective_traits.h"
#include "synthesis/detail/state_space.h"

namespace p2::inline synthesis {
namespace {

constexpr std::array<std::string_view, 2> kRuleSetNames{"paper", "all"};

}  // namespace

std::string_view nameOf(RuleSet rules) { return kRuleSetNames[static_cast<std::size_t>(rules)]; }

bool isAllowed(const CompactState& state, const Instruction& instruction, int levels, RuleSet rules) {
  if (rules == RuleSet::All || !instruction.pattern.master) return true;
  return traitsOf(instruction.collective).forMasters && othersEmpty(state, instruction.pattern, levels);
}

std::vector<GroupShare> groupShares(const CompactState& before, const CompactState& after,
                                    const Instruction& instruction) {
  if (traitsOf(instruction.collective).keepsApart) return {GroupShare{}};
  const GroupPattern& pattern = instruction.pattern;
  const unsigned varying = pattern.levels();
  std::vector<GroupShare> shares;
  for (unsigned outside = 0; outside < before.classes.size(); ++outside) {
    if ((outside & varying) != 0 || (pattern.master && (outside >> pattern.inner) != 0)) continue;
    const CompactState& source = traitsOf(instruction.collective).worksOnResult() ? after : before;
    shares.push_back({static_cast<LevelSet>(outside), source.classes[outside].splitLevels()});
  }
  const bool even = std::all_of(shares.begin(), shares.end(),
                                [&](const GroupShare& share) { return share.split == shares[0].split; });
  if (even) shares.resize(1);
  return shares;
}

std::vector<StateEdge> singleSteps(const SynthesisHierarchy& hierarchy, const Goal& goal) {
  std::vector<StateEdge> steps;
  GroupShare share;
  for (const Instruction& instruction : singleProgram(hierarchy, goal)) {
    steps.push_back({instruction, 0, {share}});
    share.split = instruction.pattern.levels();
  }
  return steps;
}

class StateGraphBuilder {
 public:
  StateGraphBuilder(const std::vector<std::int64_t>& sizes, RuleSet rules, int limit, const Goal& goal)
      : m_space(sizes, rules, limit, goal), m_limit(limit), m_graph(std::make_shared<StateGraph>()) {
    m_graph->m_levels = m_space.levels();
    m_graph->m_rules = rules;
  }

  Result<std::shared_ptr<const StateGraph>> build(const std::stop_token& stop) {
    const std::size_t mostStates = kMostEntries >> m_graph->m_levels;
    nodeOf(m_space.first(), 0);
    for (std::size_t node = 0; node < m_states.size(); ++node) {
      if (stop.stop_requested()) return cancelledError();
      if (m_states.size() > mostStates) {
        return Error{"programs of " + countedText(m_graph->m_levels, "level") + " pass through more than " +
                         countedText(mostStates, "state") + "; use a smaller size limit or the rule set paper",
                     {},
                     ErrorKind::TooLarge};
      }
      expand(static_cast<int>(node));
    }
    keepWhatReachesTheGoal();
    return std::shared_ptr<const StateGraph>(std::move(m_graph));
  }

 private:
  static constexpr std::size_t kMostEntries = std::size_t{1} << 25;

  // Breadth first, so the depth a state is found at is its smallest.
  int nodeOf(CompactState state, int depth) {
    const auto [found, isNew] = m_nodes.try_emplace(m_space.keyOf(state), static_cast<int>(m_states.size()));
    if (isNew) {
      m_isGoal.push_back(m_space.isGoal(state));
      m_states.push_back(std::move(state));
      m_depth.push_back(depth);
    }
    return found->second;
  }

  void expand(int node) {
    m_outgoing.emplace_back();
    const int depth = m_depth[std::size_t(node)];
    const CompactState state = m_states[std::size_t(node)];
    for (StateSpace::Step& step : m_space.stepsFrom(state, depth)) {
      std::vector<GroupShare> shares = groupShares(state, step.after, step.instruction);
      const int target = nodeOf(std::move(step.after), depth + 1);
      m_outgoing[std::size_t(node)].push_back({step.instruction, target, std::move(shares)});
    }
  }

  std::vector<int> distancesToGoal() const {
    std::vector<std::vector<int>> incoming(m_states.size());
    for (std::size_t node = 0; node < m_states.size(); ++node) {
      for (const StateEdge& edge : m_outgoing[node]) {
        incoming[std::size_t(edge.target)].push_back(static_cast<int>(node));
      }
    }
    std::vector<int> distance(m_states.size(), -1);
    std::vector<int> queue;
    for (std::size_t node = 0; node < m_states.size(); ++node) {
      if (!m_isGoal[node]) continue;
      queue.push_back(static_cast<int>(node));
      distance[node] = 0;
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const int source : incoming[std::size_t(queue[i])]) {
        if (distance[std::size_t(source)] >= 0) continue;
        distance[std::size_t(source)] = distance[std::size_t(queue[i])] + 1;
        queue.push_back(source);
      }
    }
    return distance;
  }

  void keepWhatReachesTheGoal() {
    const std::vector<int> distance = distancesToGoal();
    std::vector<int> renumbered(m_states.size(), -1);
    int kept = 0;
    for (std::size_t node = 0; node < m_states.size(); ++node) {
      const bool reaches = distance[node] >= 0 && m_depth[node] + distance[node] <= m_limit;
      if (reaches || node == StateGraph::start()) renumbered[node] = kept++;
    }
    for (std::size_t node = 0; node < m_states.size(); ++node) {
      if (renumbered[node] < 0) continue;
      m_graph->m_states.push_back(std::move(m_states[node]));
      m_graph->m_distance.push_back(distance[node]);
      m_graph->m_firstEdge.push_back(m_graph->m_edges.size());
      for (StateEdge& edge : m_outgoing[node]) {
        edge.target = renumbered[std::size_t(edge.target)];
        if (edge.target >= 0) m_graph->m_edges.push_back(std::move(edge));
      }
    }
    m_graph->m_firstEdge.push_back(m_graph->m_edges.size());
  }

  StateSpace m_space;
  int m_limit;
  std::shared_ptr<StateGraph> m_graph;
  std::vector<CompactState> m_states;
  std::vector<int> m_depth;
  std::vector<std::vector<StateEdge>> m_outgoing;
  std::vector<bool> m_isGoal;
  std::unordered_map<std::string, int> m_nodes;
};

Result<std::shared_ptr<const StateGraph>> StateGraph::build(const std::vector<std::int64_t>& sizes, RuleSet rules,
                                                            int limit, std::stop_token stop, const Goal& goal) {
  P2_TRY(checkSynthesisLevels(sizes.size()));
  return StateGraphBuilder(sizes, rules, limit, goal).build(stop);
}

std::vector<Count> StateGraph::countsUpTo(int limit) const {
  std::vector<Count> exactly(m_states.size(), 0);  // programs of exactly `size` steps from each node
  for (int node = 0; node < nodeCount(); ++node) exactly[std::size_t(node)] = isGoal(node) ? 1 : 0;
  std::vector<Count> totals;
  Count total = exactly[std::size_t(start())];
  for (int size = 1; size <= limit; ++size) {
    std::vector<Count> longer(m_states.size(), 0);
    for (std::size_t node = 0; node < m_states.size(); ++node) {
      for (std::size_t e = m_firstEdge[node]; e < m_firstEdge[node + 1]; ++e) {
        longer[node] += exactly[std::size_t(m_edges[e].target)];
      }
    }
    exactly = std::move(longer);
    total += exactly[std::size_t(start())];
    totals.push_back(total);
  }
  return totals;
}

}  // namespace p2::inline synthesis
