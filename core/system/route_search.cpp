// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/route_search.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace p2::inline system {

namespace {

using Vertex = LinkGraph::Vertex;

/// Vertices joined by links of at least this bandwidth, in either direction.
std::vector<Vertex> componentsOf(const LinkGraph& graph, double least) {
  std::vector<Vertex> parent(static_cast<std::size_t>(graph.vertexCount()));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](Vertex vertex) {
    while (parent[static_cast<std::size_t>(vertex)] != vertex) {
      Vertex& above = parent[static_cast<std::size_t>(vertex)];
      above = parent[static_cast<std::size_t>(above)];
      vertex = above;
    }
    return vertex;
  };
  const auto unite = [&](Vertex a, Vertex b) { parent[static_cast<std::size_t>(root(a))] = root(b); };
  for (const LinkGraph::Link& link : graph.links()) {
    if (link.bandwidth >= least) unite(link.tail, link.head);
  }
  for (Vertex vertex = 0; vertex < graph.vertexCount(); ++vertex) {
    for (const Vertex other : graph.joinedTo(vertex)) unite(vertex, other);
  }
  for (Vertex vertex = 0; vertex < graph.vertexCount(); ++vertex) {
    parent[static_cast<std::size_t>(vertex)] = root(vertex);
  }
  return parent;
}

}  // namespace

NearLinks::NearLinks(const LinkGraph& graph, Way way) : m_graph(graph), m_way(way) {
  for (LinkGraph::Vertex vertex = 0; vertex < graph.vertexCount(); ++vertex) {
    const auto links = linksOf(vertex);
    if (links.size() < kMany) continue;
    std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int32_t>>> bySize;
    for (const std::int32_t id : links) {
      const LinkGraph::Link& link = graph.link(LinkId(id));
      const DeviceRange& range = graph.within(way == Way::Leaving ? link.head : link.tail);
      const std::int64_t size = range.last - range.first;
      assert(range.first % size == 0);
      bySize[size].emplace_back(range.first / size, id);
    }
    std::vector<Parts>& hub = m_hubs[vertex];
    for (auto& [size, found] : bySize) {
      std::sort(found.begin(), found.end());
      Parts& parts = hub.emplace_back(Parts{size});
      for (const auto& [part, id] : found) {
        parts.part.push_back(part);
        parts.links.push_back(id);
      }
    }
  }
}

std::span<const std::int32_t> NearLinks::Parts::linksFor(std::int64_t number) const {
  const auto [first, last] = std::equal_range(part.begin(), part.end(), number);
  return std::span(links).subspan(static_cast<std::size_t>(first - part.begin()),
                                  static_cast<std::size_t>(last - first));
}

RouteSearch::RouteSearch(const LinkGraph& graph)
    : m_graph(graph), m_leaving(graph, NearLinks::Way::Leaving), m_entering(graph, NearLinks::Way::Entering) {
  std::set<double, std::greater<>> bandwidths;
  for (const LinkGraph::Link& link : graph.links()) bandwidths.insert(link.bandwidth);
  m_bandwidths.assign(bandwidths.begin(), bandwidths.end());
  for (const double least : m_bandwidths) m_components.push_back(componentsOf(graph, least));
  m_forward.marks.resize(static_cast<std::size_t>(graph.vertexCount()));
  m_backward.marks.resize(static_cast<std::size_t>(graph.vertexCount()));
}

bool RouteSearch::isVisible(const DeviceRange& range) const {
  return m_anywhere || (range.isWithin(m_within) && (range.holds(m_from) || range.holds(m_to)));
}

bool RouteSearch::isOpen(const LinkGraph::Link& link) const { return link.bandwidth >= m_least; }

bool RouteSearch::mayConnect(std::size_t rank) const {
  const std::vector<Vertex>& components = m_components[rank];
  return components[static_cast<std::size_t>(m_graph.wayOut(m_from))] ==
         components[static_cast<std::size_t>(m_graph.wayIn(m_to))];
}

std::vector<LinkId> RouteSearch::route(Device from, Device to) {
  std::vector<LinkId> links;
  if (from == to) return links;
  m_from = from;
  m_to = to;
  const System& system = m_graph.system();
  std::int64_t size = 1;
  for (std::size_t level = system.levels.size() + 1; level-- > 0;) {
    // Repeats over the whole system if the instances in between block every route.
    m_anywhere = level == 0;
    if (level > 0) size *= system.levels[level - 1].count;
    const std::int64_t first = from.value() / size * size;
    m_within = {first, first + size};
    if (!m_within.holds(to)) continue;
    for (std::size_t rank = 0; rank < m_bandwidths.size(); ++rank) {
      m_least = m_bandwidths[rank];
      if (mayConnect(rank) && search(links)) return links;
    }
  }
  return links;
}

const RouteSearch::Mark* RouteSearch::mark(const Side& side, Vertex vertex) const {
  const Mark& known = side.marks[static_cast<std::size_t>(vertex)];
  return known.age == m_age ? &known : nullptr;
}

void RouteSearch::begin(Side& side) const {
  side.layers.resize(1);
  side.layers[0].clear();
  side.depth = 0;
  side.width = 0;
}

void RouteSearch::reachForward(Vertex vertex) {
  if (mark(m_forward, vertex) != nullptr || !isVisible(m_graph.within(vertex))) return;
  m_forward.marks[static_cast<std::size_t>(vertex)] = {m_age, static_cast<std::int32_t>(m_forward.depth), -1};
  m_forward.layers[m_forward.depth].push_back(vertex);
  m_forward.width += m_graph.leaving(vertex).size();
  for (const Vertex other : m_graph.joinedTo(vertex)) reachForward(other);
}

/// Also when a lower link of the same depth appears; it then holds for all messages at this vertex.
void RouteSearch::reachBackward(Vertex vertex, std::int32_t depth, std::int32_t link) {
  Mark& known = m_backward.marks[static_cast<std::size_t>(vertex)];
  if (known.age == m_age) {
    if (known.depth != depth || known.link <= link) return;
    known.link = link;
  } else {
    if (!isVisible(m_graph.within(vertex))) return;
    known = {m_age, depth, link};
    if (static_cast<std::size_t>(depth) == m_backward.depth) {
      m_backward.layers[m_backward.depth].push_back(vertex);
      m_backward.width += m_graph.entering(vertex).size();
    }
  }
  for (const Vertex other : m_graph.joinedFrom(vertex)) reachBackward(other, depth, link);
}

template <class Visit>
void RouteSearch::visitLinks(const NearLinks& links, Vertex vertex, const Visit& visit) const {
  if (!m_anywhere) return links.visit(vertex, m_from, m_to, visit);
  for (const std::int32_t link : links.linksOf(vertex)) visit(link);
}

void RouteSearch::grow(Side& side) {
  ++side.depth;
  side.width = 0;
  if (side.layers.size() <= side.depth) side.layers.emplace_back();
  side.layers[side.depth].clear();
  const bool forward = &side == &m_forward;
  for (const Vertex vertex : side.layers[side.depth - 1]) {
    visitLinks(forward ? m_leaving : m_entering, vertex, [&](std::int32_t id) {
      const LinkGraph::Link& link = m_graph.link(LinkId(id));
      if (!isOpen(link)) return;
      if (forward) {
        reachForward(link.head);
      } else {
        reachBackward(link.tail, static_cast<std::int32_t>(side.depth), id);
      }
    });
  }
}

bool RouteSearch::meets(const Side& side, const Side& other) const {
  const std::vector<Vertex>& outermost = side.layers[side.depth];
  return std::any_of(outermost.begin(), outermost.end(), [&](Vertex v) { return mark(other, v) != nullptr; });
}

bool RouteSearch::search(std::vector<LinkId>& links) {
  ++m_age;
  begin(m_forward);
  begin(m_backward);
  reachForward(m_graph.wayOut(m_from));
  reachBackward(m_graph.wayIn(m_to), 0, -1);
  if (m_forward.layers[0].empty() || m_backward.layers[0].empty()) return false;
  // The layers are whole, so the first time they touch is the shortest way.
  while (true) {
    Side& side = m_forward.width <= m_backward.width ? m_forward : m_backward;
    grow(side);
    if (side.layers[side.depth].empty()) return false;
    if (meets(side, &side == &m_forward ? m_backward : m_forward)) break;
  }
  leadForwardsToGoal();
  follow(links);
  return true;
}

/// Goes back over the forward layers, so that every vertex on a shortest way knows its next link.
void RouteSearch::leadForwardsToGoal() {
  const std::size_t length = m_forward.depth + m_backward.depth;
  for (std::size_t depth = m_forward.depth; depth-- > 0;) {
    const auto left = static_cast<std::int32_t>(length - depth);
    for (const Vertex vertex : m_forward.layers[depth]) {
      visitLinks(m_leaving, vertex, [&](std::int32_t id) {
        const LinkGraph::Link& link = m_graph.link(LinkId(id));
        const Mark* next = isOpen(link) ? mark(m_backward, link.head) : nullptr;
        if (next != nullptr && next->depth == left - 1) reachBackward(vertex, left, id);
      });
    }
  }
}

void RouteSearch::follow(std::vector<LinkId>& links) const {
  Vertex vertex = m_graph.wayOut(m_from);
  for (const Mark* next = mark(m_backward, vertex); next->depth > 0; next = mark(m_backward, vertex)) {
    links.emplace_back(next->link);
    vertex = m_graph.link(links.back()).head;
  }
}

}  // namespace p2::inline system
