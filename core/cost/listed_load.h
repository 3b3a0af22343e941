// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>

#include "cost/link_loads.h"
#include "synthesis/state_graph.h"

namespace p2 {

/// Loads of a pattern's groups in a system that is not uniform: every flow on its route, each shape routed once. What
/// UniformLoad is to uniform systems, for hierarchies of every kind.
class ListedLoad {
 public:
  /// Both must outlive it. O(devices).
  ListedLoad(const Topology& topology, const SynthesisHierarchy& hierarchy, const GroupPattern& pattern);

  /// `shares` as in StateEdge. The flows carry one byte per byte of the whole vector, flowFactor() aside.
  [[nodiscard]] BusiestLink load(FlowShape shape, const std::vector<GroupShare>& shares);
  /// The latency term (see latencyOf()), in seconds: that of the slowest group.
  [[nodiscard]] double latency(Collective collective, FlowShape shape);

 private:
  using RoutedGroups = std::vector<RoutedFlows>;

  [[nodiscard]] LevelSet outsideClassOf(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern,
                                        Device first) const;
  [[nodiscard]] double shareOf(std::size_t group, const std::vector<GroupShare>& shares) const;
  [[nodiscard]] const RoutedGroups& routed(FlowShape shape);

  const Topology& m_topology;
  std::vector<std::int64_t> m_sizes;
  std::vector<DeviceGroup> m_groups;
  std::vector<LevelSet> m_outside;                      // by group: levels outside the pattern in which it is not first
  std::array<std::optional<RoutedGroups>, 4> m_routed;  // by shape
};

}  // namespace p2
