// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system.
#pragma once

#include <mutex>
#include <unordered_map>

#include "system/detail/route_search.h"
#include "system/torus_routes.h"
#include "system/unit_routes.h"

namespace p2::inline system {

/// The routes of a link graph, each searched for once, over a torus in closed form. May be asked from several threads.
class RouteTable {
 public:
  explicit RouteTable(std::shared_ptr<const LinkGraph> graph)
      : m_graph(std::move(graph)), m_search(*m_graph), m_torus(TorusRoutes::of(*m_graph)) {
    const System& system = m_graph->system();
    for (std::size_t level = nodeDepth(system); level < system.levels.size(); ++level) {
      m_nodeDevices *= system.levels[level].count;
    }
  }

  [[nodiscard]] const LinkGraph& graph() const { return *m_graph; }
  /// Appends the links from one device to another, as RouteSearch::route().
  void append(Device from, Device to, std::vector<LinkId>& links);
  /// The geometry of routes that repeat; null where they do not.
  [[nodiscard]] const UnitRoutes* units();
  /// UnitRoutes::hops(); null without units.
  [[nodiscard]] const UnitRoutes::Hops* hops(Device from, Device to);

 private:
  struct Known {
    std::size_t begin;
    std::size_t count;
  };
  [[nodiscard]] UnitRoutes* knownUnits();
  [[nodiscard]] std::vector<LinkId> search(Device from, Device to);

  static constexpr std::size_t kMostKnown = std::size_t{1} << 21;

  std::shared_ptr<const LinkGraph> m_graph;
  std::mutex m_mutex;
  RouteSearch m_search;
  std::unique_ptr<TorusRoutes> m_torus;  // null where it is none
  std::int64_t m_nodeDevices = 1;
  std::unique_ptr<UnitRoutes> m_units;
  bool m_triedUnits = false;
  std::unordered_map<std::int64_t, Known> m_known;  // by both devices
  std::vector<LinkId> m_links;
};

}  // namespace p2::inline system
