// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/near_links.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace p2::inline system {

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

}  // namespace p2::inline system
