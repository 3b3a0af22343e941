// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <stop_token>

#include "cost/flows/link_loads.h"
#include "synthesis/state_graph.h"
#include "system/torus_routes.h"

namespace p2::inline cost {

/// The traffic of a pattern's groups in any system: every flow on its route, each shape routed once; over a torus by
/// runs of links. For hierarchies of every kind.
class ListedLoad {
 public:
  /// All arguments must outlive it. After a stop request no more routes are searched for, and results are meaningless.
  /// `torus`: the topology's routes if it is one. O(devices).
  ListedLoad(const Topology& topology, const LibraryView& machine, const SynthesisHierarchy& hierarchy,
             const GroupPattern& pattern, std::stop_token stop = {}, const TorusRoutes* torus = nullptr);

  /// Replaces the stop token.
  void listenTo(std::stop_token stop) { m_stop = std::move(stop); }

  /// Traffic::loads for a vector of one byte, with groups that work on `shares` of it (see StateEdge). O(flows · route
  /// length + links), over a torus O(flows + links).
  [[nodiscard]] std::vector<LinkLoad> loads(FlowShape shape, const std::vector<GroupShare>& shares);
  /// Traffic::own for the same, with the caps that a model has for the shape's algorithm. O(flows · route length).
  [[nodiscard]] std::vector<LinkLoad> ownLoads(FlowShape shape, const std::vector<GroupShare>& shares,
                                               std::span<const double> caps);
  /// Hops of the slowest group.
  [[nodiscard]] Hops hops(Collective collective, FlowShape shape);
  /// Path of the group with the longest one.
  [[nodiscard]] ChannelPath path() const;
  /// Nodes that a group spans.
  [[nodiscard]] std::int64_t nodes();

 private:
  using RoutedGroups = std::vector<RoutedFlows>;

  [[nodiscard]] LevelSet outsideClassOf(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern,
                                        Device first) const;
  [[nodiscard]] double shareOf(std::size_t group, const std::vector<GroupShare>& shares) const;
  [[nodiscard]] const RoutedGroups& routed(FlowShape shape);
  [[nodiscard]] double slowestRoute(std::size_t group, FlowShape shape);

  const Topology& m_topology;
  const LibraryView& m_machine;
  const TorusRoutes* m_torus;
  std::stop_token m_stop;
  std::vector<std::int64_t> m_sizes;
  std::vector<DeviceGroup> m_groups;
  std::vector<LevelSet> m_outside;                                // by group, as GroupShare::outsideClass
  std::array<std::optional<RoutedGroups>, kFlowShapes> m_routed;  // by shape
  std::int64_t m_nodes = 0;                                       // 0 where not yet known
};

}  // namespace p2::inline cost
