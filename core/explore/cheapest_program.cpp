// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/cheapest_program.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/near.h"

namespace p2::inline explore {
CheapestProgram::CheapestProgram(std::shared_ptr<const StateGraph> graph, int limit)
    : m_graph(std::move(graph)), m_limit(std::min(limit, m_graph->nodeCount())) {
  std::map<std::pair<Instruction, std::vector<GroupShare>>, std::size_t> known;
  for (const StateEdge& edge : m_graph->edges()) {
    const auto [at, isNew] = known.emplace(std::pair(edge.instruction, edge.shares), m_distinct.size());
    if (isNew) m_distinct.push_back(&edge);
    m_distinctOf.push_back(at->second);
  }
  m_seconds.resize(m_distinct.size());
  findDepths();
  m_ways.resize(static_cast<std::size_t>(m_limit + 1) * static_cast<std::size_t>(m_graph->nodeCount()));
}

void CheapestProgram::findDepths() {
  m_depth.assign(static_cast<std::size_t>(m_graph->nodeCount()), m_limit + 1);
  std::vector<int> reached{StateGraph::start()};
  m_depth[static_cast<std::size_t>(StateGraph::start())] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const int node = reached[i];
    for (std::size_t edge = m_graph->firstEdge(node); edge < m_graph->firstEdge(node + 1); ++edge) {
      int& depth = m_depth[static_cast<std::size_t>(m_graph->edges()[edge].target)];
      if (depth <= m_limit) continue;
      depth = m_depth[static_cast<std::size_t>(node)] + 1;
      reached.push_back(m_graph->edges()[edge].target);
    }
  }
}

CheapestProgram::Way CheapestProgram::bestFrom(int node, int left) const {
  Way best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (std::size_t edge = m_graph->firstEdge(node); edge < m_graph->firstEdge(node + 1); ++edge) {
    const int target = m_graph->edges()[edge].target;
    if (m_graph->distance(target) > left - 1) continue;
    const Way& rest = way(target, left - 1);
    const double seconds = m_seconds[m_distinctOf[edge]] + rest.seconds;
    const bool isTie = nearlyEqual(seconds, best.seconds);
    if (isTie ? rest.steps + 1 < best.steps : seconds < best.seconds) best = {seconds, rest.steps + 1, edge};
  }
  return best;
}

std::optional<CheapestProgram::Found> CheapestProgram::find(PatternPricer& pricer, const std::stop_token& stop) {
  if (m_graph->distance(StateGraph::start()) > m_limit) return std::nullopt;
  for (std::size_t i = 0; i < m_distinct.size(); ++i) {
    m_seconds[i] = pricer.price(*m_distinct[i]).seconds;
    if (stop.stop_requested()) return std::nullopt;
  }
  const auto nodes = static_cast<std::size_t>(m_graph->nodeCount());
  for (int left = 1; left <= m_limit; ++left) {
    for (int node = 0; node < m_graph->nodeCount(); ++node) {
      // A way to this node takes its depth in steps, which bounds the steps that are left.
      if (m_depth[static_cast<std::size_t>(node)] > m_limit - left) continue;
      if (m_graph->isGoal(node) || m_graph->distance(node) > left) continue;
      m_ways[static_cast<std::size_t>(left) * nodes + static_cast<std::size_t>(node)] = bestFrom(node, left);
    }
  }
  const Way& best = way(StateGraph::start(), m_limit);
  return Found{best.seconds, best.steps};
}

std::vector<const StateEdge*> CheapestProgram::edges() const {
  std::vector<const StateEdge*> edges;
  int left = m_limit;
  for (int node = StateGraph::start(); !m_graph->isGoal(node);) {
    edges.push_back(&m_graph->edges()[way(node, left--).edge]);
    node = edges.back()->target;
  }
  return edges;
}

}  // namespace p2::inline explore
