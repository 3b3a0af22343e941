// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "cost/traffic.h"
#include "synthesis/synthesis_hierarchy.h"
#include "system/topology.h"

namespace p2::inline cost {

/// A message of `weight` × flowFactor() × working bytes between two devices.
struct Flow {
  Device from;
  Device to;
  double weight;
};

/// The flows of one group in device order. A ring runs in one direction and stands for the two directions of a library,
/// half the data each. A chain follows the ring too, so a ring with one slow link is also slow for a Broadcast; only
/// the root's edges are used in one of the two directions, and carry half. Tree: chains to the first member inside each
/// node, through all of its levels, a double binary tree between those heads, half the data up and down each (Sanders
/// et al. 2009). For shapes over channels see channelFlows().
[[nodiscard]] std::vector<Flow> flowsOf(FlowShape shape, const DeviceGroup& group, const LibraryView& machine);
/// From each member to the next, the last to the first: messages that only these two exchange. A ring of flowsOf() is
/// several rings where the group is on a mesh.
[[nodiscard]] std::vector<Flow> loopFlows(const DeviceGroup& group);

/// Flows and the links that each takes, one after the other.
struct RoutedFlows {
  std::vector<Flow> flows;
  std::vector<LinkId> links;
  std::vector<std::size_t> ends;  ///< of each flow's links
};

/// The flows of one group on their routes, each by itself, by way of RailRelays where the shape keeps to rails.
/// Searching routes takes a while; after a stop request flows have no routes, and the result is meaningless.
[[nodiscard]] RoutedFlows routedFlows(FlowShape shape, const DeviceGroup& group, const Topology& topology,
                                      const LibraryView& machine, const std::stop_token& stop = {});
[[nodiscard]] RoutedFlows routedOver(std::vector<Flow> flows, const Topology& topology,
                                     const std::stop_token& stop = {});

/// Seconds of the slowest route.
[[nodiscard]] double slowestHop(const RoutedFlows& routed, const Topology& topology);
/// The messages of one group that wait for one another, and the slowest of their routes.
[[nodiscard]] Hops hopsOf(Collective collective, FlowShape shape, const DeviceGroup& group, double slowestRoute,
                          const LibraryView& machine);
[[nodiscard]] Hops hopsOf(Collective collective, FlowShape shape, const DeviceGroup& group, const RoutedFlows& routed,
                          const Topology& topology, const LibraryView& machine);

}  // namespace p2::inline cost
