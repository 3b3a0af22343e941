// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/near.h"
#include "cost/bounds/detail/listed_lower_bound.h"

namespace p2::inline cost {

LeastTime ListedLowerBound::byFlows(double known) {
  m_least = {known, {}};
  // No part that a Scatter sends is large enough to find a cut by.
  if (m_collective == Collective::Scatter) return m_least;
  const bool all = m_collective == Collective::ReduceScatter || m_collective == Collective::AllGather ||
                   m_collective == Collective::AllToAll;
  for (std::size_t goal = all ? 0 : 1; goal < m_groups[0].size(); ++goal) {
    for (const bool backwards : {false, true}) {
      if (m_collective == Collective::AllGather && backwards) continue;
      if (m_collective == Collective::ReduceScatter && !backwards && m_shardOf.empty()) continue;
      if (m_collective == (backwards ? Collective::Broadcast : Collective::Reduce)) continue;
      considerCuts(all ? spreading(goal, backwards) : sending(goal, backwards));
    }
  }
  return m_least;
}

/// Every member but one of each group has a piece that this one must get, or a piece of the sum that it adds to.
ListedLowerBound::Task ListedLowerBound::spreading(std::size_t goal, bool backwards) const {
  Task task{std::vector<double>(m_grouped.groupOf.size(), 1 / static_cast<double>(m_groups[0].size())), {}, backwards};
  for (const DeviceGroup& group : m_groups) {
    task.goals.insert(group[goal]);
    task.bytes[group[goal].index()] = 0;
  }
  return task;
}

/// The first member of each group has a vector that another one must get, or adds to one of that one.
ListedLowerBound::Task ListedLowerBound::sending(std::size_t goal, bool backwards) const {
  Task task{std::vector<double>(m_grouped.groupOf.size(), 0), {}, backwards};
  for (const DeviceGroup& group : m_groups) {
    task.goals.insert(group[goal]);
    task.bytes[group.front().index()] = 1;
  }
  return task;
}

// Each cut that is found needs longer than the time it was looked for with, and cuts are finitely many.
void ListedLowerBound::considerCuts(const Task& task) {
  for (;;) {
    const double before = m_least.seconds;
    const Part cut = tightestCut(task);
    if (cut.empty()) return;
    consider({&cut, 1}, m_survey.nameOf(cut));
    if (!definitelyLess(before, m_least.seconds)) return;
  }
}

/// A part that cannot get rid of its bytes in the time known so far; none if there is none.
Part ListedLowerBound::tightestCut(const Task& task) const {
  const LinkGraph& graph = m_survey.links().graph();
  const auto vertices = static_cast<std::size_t>(graph.vertexCount());
  const std::size_t source = vertices;
  const std::size_t sink = vertices + 1;
  MaxFlow flow(vertices + 2);
  const auto edge = [&](Vertex from, Vertex to, double capacity) {
    if (task.backwards) std::swap(from, to);
    flow.addEdge(static_cast<std::size_t>(from), static_cast<std::size_t>(to), capacity);
  };
  for (const LinkGraph::Link& link : graph.links()) {
    if (m_survey.links().isUsable(link) && m_least.seconds > 0)
      edge(link.tail, link.head, link.bandwidth * m_least.seconds);
  }
  for (Vertex vertex = 0; vertex < graph.vertexCount(); ++vertex) {
    for (const Vertex other : graph.joinedTo(vertex)) edge(vertex, other, MaxFlow::kNoBound);
  }
  double bytes = 0;
  for (const Device device : IdRange<Device>(m_topology.deviceCount())) {
    const auto at = static_cast<std::size_t>(task.backwards ? graph.wayIn(device) : graph.wayOut(device));
    // Devices store what arrives and send it on; a cut through one of them would be none.
    edge(graph.wayIn(device), graph.wayOut(device), MaxFlow::kNoBound);
    edge(graph.wayOut(device), graph.wayIn(device), MaxFlow::kNoBound);
    const double own = task.bytes[device.index()];
    if (own > 0) flow.addEdge(source, at, own);
    bytes += own;
    const auto goal = static_cast<std::size_t>(task.backwards ? graph.wayOut(device) : graph.wayIn(device));
    if (task.goals.contains(device)) flow.addEdge(goal, sink, MaxFlow::kNoBound);
  }
  if (!definitelyLess(flow.run(source, sink), bytes)) return {};
  const std::vector<bool> side = flow.sourceSide();
  Part part;
  for (Vertex vertex = 0; vertex < graph.vertexCount(); ++vertex) {
    if (side[static_cast<std::size_t>(vertex)]) part.push_back(vertex);
  }
  return part;
}

}  // namespace p2::inline cost
