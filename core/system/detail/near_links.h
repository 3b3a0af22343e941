// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system.
#pragma once

#include <unordered_map>
#include <vector>

#include "system/link_graph.h"

namespace p2::inline system {

/// The links of a vertex, indexed by the devices among which their other ends can be: of a switch's thousands of ports,
/// those for two given devices are found without visiting the others. Such devices are always all devices of one
/// instance of a level (GraphVertices), so their first number is a multiple of their count.
class NearLinks {
 public:
  enum class Way { Leaving, Entering };
  /// O(links). The graph must outlive it.
  NearLinks(const LinkGraph& graph, Way way);

  /// Calls `visit` with the numbers of at least those links of the vertex whose other end can be met by a message from
  /// or to the devices. O(links found + log links).
  template <class Visit>
  void visit(LinkGraph::Vertex vertex, Device from, Device to, const Visit& visit) const {
    const auto links = linksOf(vertex);
    if (links.size() < kMany) {
      for (const std::int32_t link : links) visit(link);
      return;
    }
    for (const Parts& parts : m_hubs.find(vertex)->second) {
      const std::int64_t one = from.value() / parts.size;
      const std::int64_t other = to.value() / parts.size;
      for (const std::int32_t link : parts.linksFor(one)) visit(link);
      if (other == one) continue;
      for (const std::int32_t link : parts.linksFor(other)) visit(link);
    }
  }
  [[nodiscard]] std::span<const std::int32_t> linksOf(LinkGraph::Vertex vertex) const {
    return m_way == Way::Leaving ? m_graph.leaving(vertex) : m_graph.entering(vertex);
  }

 private:
  /// Links whose other ends are for parts of the system of one size, by part.
  struct Parts {
    std::int64_t size = 1;             ///< devices of a part
    std::vector<std::int64_t> part{};  ///< by link, ascending
    std::vector<std::int32_t> links{};
    [[nodiscard]] std::span<const std::int32_t> linksFor(std::int64_t number) const;
  };

  static constexpr std::size_t kMany = 32;

  const LinkGraph& m_graph;
  Way m_way;
  std::unordered_map<LinkGraph::Vertex, std::vector<Parts>> m_hubs;  // hubs with kMany links or more
};

}  // namespace p2::inline system
