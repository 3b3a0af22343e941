// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/bounds/detail/max_flow.h"

#include <algorithm>
#include <cmath>

namespace p2::inline cost {

void MaxFlow::addEdge(std::size_t from, std::size_t to, double capacity) {
  m_edges[from].push_back({to, m_edges[to].size(), capacity});
  m_edges[to].push_back({from, m_edges[from].size() - 1, 0});
  if (std::isfinite(capacity)) m_least = std::max(m_least, capacity * 1e-14);
}

double MaxFlow::run(std::size_t source, std::size_t sink) {
  double flow = 0;
  while (layer(source, sink)) {
    m_next.assign(m_edges.size(), 0);
    for (double pushed = 1; pushed > 0;) {
      pushed = push(source, sink, kNoBound);
      flow += pushed;
    }
  }
  return flow;
}

std::vector<bool> MaxFlow::sourceSide() const {
  std::vector<bool> side(m_edges.size());
  for (std::size_t vertex = 0; vertex < side.size(); ++vertex) side[vertex] = m_depth[vertex] >= 0;
  return side;
}

bool MaxFlow::layer(std::size_t source, std::size_t sink) {
  m_depth.assign(m_edges.size(), -1);
  m_depth[source] = 0;
  std::vector<std::size_t> reached{source};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Edge& edge : m_edges[reached[i]]) {
      if (!(edge.left > m_least) || m_depth[edge.to] >= 0) continue;
      m_depth[edge.to] = m_depth[reached[i]] + 1;
      reached.push_back(edge.to);
    }
  }
  return m_depth[sink] >= 0;
}

double MaxFlow::push(std::size_t from, std::size_t sink, double most) {
  if (from == sink) return most;
  for (std::size_t& i = m_next[from]; i < m_edges[from].size(); ++i) {
    Edge& edge = m_edges[from][i];
    if (!(edge.left > m_least) || m_depth[edge.to] != m_depth[from] + 1) continue;
    const double pushed = push(edge.to, sink, std::min(most, edge.left));
    if (!(pushed > 0)) continue;
    edge.left -= pushed;
    m_edges[edge.to][edge.back].left += pushed;
    return pushed;
  }
  return 0;
}

}  // namespace p2::inline cost
