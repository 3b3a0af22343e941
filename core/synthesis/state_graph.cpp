// SPDX-License-Identifier: GPL-3.0-or-later
#include "synthesis/state_graph.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <unordered_map>

namespace p2 {
namespace {

constexpr std::array<std::string_view, 2> kRuleSetNames{"paper", "all"};

void append(std::string& key, unsigned value) {
  key.push_back(static_cast<char>(value & 0xff));
  key.push_back(static_cast<char>(value >> 8));
}

/// The state as bytes, to be found again quickly; without the order of its splits where no rule asks for it.
std::string keyOf(const CompactState& state, RuleSet rules) {
  std::string key;
  for (const ClassState& entry : state.classes) {
    const bool ordered = rules == RuleSet::All;
    key.push_back(static_cast<char>(entry.present ? 1 + (ordered ? entry.splitCount : 0) : 0));
    if (!entry.present) continue;
    append(key, entry.summed);
    append(key, entry.splitLevels());
    if (!ordered) continue;
    for (std::size_t i = 0; i < entry.splitCount; ++i) {
      const ClassState::Split& split = entry.splits[i];
      append(key, static_cast<unsigned>(split.level | (split.barrier ? 0x80 : 0) | split.gatheredAfter << 8));
    }
  }
  return key;
}

/// No program reaches the goal from here in fewer steps. The class of devices that are first everywhere is a root in
/// each of its groups, so it must itself reduce every run of levels not yet summed, an instruction covering one run,
/// and gather if its chunks are split.
int stepsNeeded(const CompactState& state, int levels) {
  const ClassState& first = state.classes[0];
  const unsigned unsummed = ((1u << levels) - 1) & ~unsigned{first.summed};
  const int reducing = std::popcount(unsummed & ~(unsummed << 1));
  if (first.splitLevels() != 0) return reducing + 1;
  const bool alike = std::all_of(state.classes.begin(), state.classes.end(),
                                 [&](const ClassState& other) { return other == first; });
  return reducing == 0 && !alike ? 1 : reducing;
}

}  // namespace

std::string_view nameOf(RuleSet rules) { return kRuleSetNames[static_cast<std::size_t>(rules)]; }

Result<RuleSet> ruleSetFrom(std::string_view name) {
  for (const RuleSet rules : {RuleSet::Paper, RuleSet::All}) {
    if (nameOf(rules) == name) return rules;
  }
  return Error{"\"" + std::string(name) + "\" is not a rule set; use paper or all"};
}

bool isAllowed(const CompactState& state, const Instruction& instruction, int levels, RuleSet rules) {
  if (rules == RuleSet::All || !instruction.pattern.master) return true;
  return instruction.collective != Collective::Broadcast && othersEmpty(state, instruction.pattern, levels);
}

std::vector<GroupShare> groupShares(const CompactState& before, const CompactState& after,
                                    const Instruction& instruction) {
  const GroupPattern& pattern = instruction.pattern;
  const unsigned varying = (1u << pattern.inner) - (1u << pattern.outer);
  std::vector<GroupShare> shares;
  for (unsigned outside = 0; outside < before.classes.size(); ++outside) {
    if ((outside & varying) != 0 || (pattern.master && (outside >> pattern.inner) != 0)) continue;
    const CompactState& source = instruction.collective == Collective::AllGather ? after : before;
    shares.push_back({static_cast<LevelSet>(outside), source.classes[outside].splitLevels()});
  }
  const bool even = std::all_of(shares.begin(), shares.end(),
                                [&](const GroupShare& share) { return share.split == shares[0].split; });
  if (even) shares.resize(1);
  return shares;
}

class StateGraphBuilder {
 public:
  StateGraphBuilder(const std::vector<std::int64_t>& sizes, RuleSet rules, int limit)
      : m_sizes(sizes), m_limit(limit), m_graph(std::make_shared<StateGraph>()) {
    const int levels = static_cast<int>(sizes.size());
    m_graph->m_levels = levels;
    m_graph->m_rules = rules;
    for (const GroupPattern& pattern : groupPatterns(levels)) {
      for (const Collective collective : kCollectives) m_instructions.push_back({pattern, collective});
    }
  }

  Result<std::shared_ptr<const StateGraph>> build(const std::stop_token& stop) {
    const std::size_t mostStates = kMostEntries >> m_graph->m_levels;
    nodeOf(CompactState::initial(m_graph->m_levels), 0);
    m_goal = nodeOf(CompactState::goal(m_graph->m_levels), m_limit);
    for (std::size_t node = 0; node < m_states.size(); ++node) {
      if (stop.stop_requested()) return cancelledError();
      if (m_states.size() > mostStates) {
        return Error{"programs of " + std::to_string(m_graph->m_levels) + " levels pass through more than " +
                         std::to_string(mostStates) + " states; use a smaller size limit or the rule set paper",
                     {}, ErrorKind::TooLarge};
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
    const auto [found, isNew] = m_nodes.try_emplace(keyOf(state, m_graph->m_rules), static_cast<int>(m_states.size()));
    if (isNew) {
      m_states.push_back(std::move(state));
      m_depth.push_back(depth);
    }
    return found->second;
  }

  void expand(int node) {
    m_outgoing.emplace_back();
    const int depth = m_depth[std::size_t(node)];
    if (depth >= m_limit) return;
    const CompactState state = m_states[std::size_t(node)];
    for (const Instruction& instruction : m_instructions) {
      if (!isAllowed(state, instruction, m_graph->m_levels, m_graph->m_rules)) continue;
      const auto after = applyCompact(state, instruction, m_sizes);
      if (!after || depth + 1 + stepsNeeded(*after, m_graph->m_levels) > m_limit) continue;
      m_outgoing[std::size_t(node)].push_back(
          {instruction, nodeOf(*after, depth + 1), groupShares(state, *after, instruction)});
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
    std::vector<int> queue{m_goal};
    distance[std::size_t(m_goal)] = 0;
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
      const bool reaches = distance[node] >= 0 && (m_depth[node] + distance[node] <= m_limit || distance[node] == 0);
      if (reaches) renumbered[node] = kept++;
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
    m_graph->m_goal = renumbered[std::size_t(m_goal)];
  }

  const std::vector<std::int64_t>& m_sizes;
  int m_limit;
  std::shared_ptr<StateGraph> m_graph;
  std::vector<Instruction> m_instructions;
  std::vector<CompactState> m_states;
  std::vector<int> m_depth;
  std::vector<std::vector<StateEdge>> m_outgoing;
  std::unordered_map<std::string, int> m_nodes;
  int m_goal = 0;
};

Result<std::shared_ptr<const StateGraph>> StateGraph::build(const std::vector<std::int64_t>& sizes, RuleSet rules,
                                                            int limit, std::stop_token stop) {
  if (sizes.size() > static_cast<std::size_t>(kMostSynthesisLevels)) {
    return Error{"the reduction spans " + std::to_string(sizes.size()) +
                     " levels; programs are synthesized for at most " + std::to_string(kMostSynthesisLevels),
                 {},
                 ErrorKind::TooLarge};
  }
  return StateGraphBuilder(sizes, rules, limit).build(stop);
}

std::vector<Count> StateGraph::countsUpTo(int limit) const {
  std::vector<Count> exactly(m_states.size(), 0);  // programs of exactly `size` steps from each node
  exactly[std::size_t(m_goal)] = 1;
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

}  // namespace p2
