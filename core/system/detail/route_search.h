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

/// Finds routes in a link graph, one after the other. A route stays in the smallest instance of a level that holds both
/// devices and connects them, and passes through no instance that holds neither; only where there is no such way may it
/// go anywhere. Among the ways left: largest bottleneck bandwidth, fewest links, lowest link numbers in order.
class RouteSearch {
 public:
  /// O(bandwidths · (vertices + links)). The graph must outlive it.
  explicit RouteSearch(const LinkGraph& graph);

  /// The links in order; none when there is no way. A search from both ends, which looks at a switch of many ports from
  /// the side with fewer.
  [[nodiscard]] std::vector<LinkId> route(Device from, Device to);

 private:
  using Vertex = LinkGraph::Vertex;

  /// State of a vertex in a search from one end; valid for the search `age`.
  struct Mark {
    std::uint32_t age = 0;
    std::int32_t depth = 0;
    std::int32_t link = -1;  // towards the goal: the lowest link that leads one step nearer
  };
  struct Side {
    std::vector<Mark> marks;  // by vertex
    std::vector<std::vector<Vertex>> layers;
    std::size_t depth = 0;
    std::size_t width = 0;  // links at the outermost layer
  };

  [[nodiscard]] bool isVisible(const DeviceRange& range) const;
  [[nodiscard]] bool isOpen(const LinkGraph::Link& link) const;
  [[nodiscard]] bool mayConnect(std::size_t rank) const;
  [[nodiscard]] bool search(std::vector<LinkId>& links);
  void begin(Side& side) const;
  void reachForward(Vertex vertex);
  void reachBackward(Vertex vertex, std::int32_t depth, std::int32_t link);
  void grow(Side& side);
  [[nodiscard]] bool meets(const Side& side, const Side& other) const;
  void leadForwardsToGoal();
  void follow(std::vector<LinkId>& links) const;
  [[nodiscard]] const Mark* mark(const Side& side, Vertex vertex) const;

  /// Every link of the vertex whose other end the search at hand may come to, and some others.
  template <class Visit>
  void visitLinks(const NearLinks& links, Vertex vertex, const Visit& visit) const;

  const LinkGraph& m_graph;
  NearLinks m_leaving;
  NearLinks m_entering;
  std::vector<double> m_bandwidths;               // those that occur, largest first
  std::vector<std::vector<Vertex>> m_components;  // by bandwidth, by vertex: joined by links at least as wide
  Side m_forward;
  Side m_backward;
  std::uint32_t m_age = 0;
  // State of the current search:
  Device m_from;
  Device m_to;
  DeviceRange m_within;
  bool m_anywhere = false;
  double m_least = 0;
};

}  // namespace p2::inline system
