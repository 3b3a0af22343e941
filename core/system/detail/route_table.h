// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system.
#pragma once

#include <mutex>
#include <unordered_map>

#include "system/detail/route_search.h"

namespace p2::inline system {

/// The routes of a link graph, each searched for once. May be asked from several threads.
class RouteTable {
 public:
  explicit RouteTable(std::shared_ptr<const LinkGraph> graph) : m_graph(std::move(graph)), m_search(*m_graph) {}

  [[nodiscard]] const LinkGraph& graph() const { return *m_graph; }
  /// Appends the links from one device to another, as RouteSearch::route().
  void append(Device from, Device to, std::vector<LinkId>& links);

 private:
  struct Known {
    std::size_t begin;
    std::size_t count;
  };
  static constexpr std::size_t kMostKnown = std::size_t{1} << 21;

  std::shared_ptr<const LinkGraph> m_graph;
  std::mutex m_mutex;
  RouteSearch m_search;
  std::unordered_map<std::int64_t, Known> m_known;  // by both devices
  std::vector<LinkId> m_links;
};

}  // namespace p2::inline system
