// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cost/cost_model.h"

namespace p2 {

/// The shapes in which a collective sends along its group.
enum class FlowShape { Ring, ChainToRoot, ChainFromRoot, Tree };

[[nodiscard]] FlowShape shapeOf(Collective collective, bool tree);
/// Bytes on each unit of the shape's flows, per byte of the working vector: 2(n−1)/n for a ring AllReduce.
[[nodiscard]] double flowFactor(Collective collective, FlowShape shape, std::int64_t members);

/// A message of `weight` × flowFactor × working bytes between two devices.
struct Flow {
  Device from;
  Device to;
  double weight;
};

/// The flows of one group in device order. Tree: chains to the first member inside each instance of the innermost
/// level, a double binary tree between those heads, half the data up and down each (Sanders et al. 2009).
[[nodiscard]] std::vector<Flow> flowsOf(FlowShape shape, const DeviceGroup& group, const Topology& topology);

/// Flows and the links that each takes, one after the other.
struct RoutedFlows {
  std::vector<Flow> flows;
  std::vector<LinkId> links;
  std::vector<std::size_t> ends;  ///< of each flow's links
};

/// The flows of one group on their routes. A ring that lies within one instance takes links that do not forward only
/// if all of it closes over them; else all of it takes others. Chains and trees take them edge by edge.
[[nodiscard]] RoutedFlows routedFlows(FlowShape shape, const DeviceGroup& group, const Topology& topology);

/// The latency term of one group: number of dependent hops × the slowest hop's latency, in seconds.
[[nodiscard]] double latencyOf(Collective collective, FlowShape shape, const DeviceGroup& group,
                               const Topology& topology);
/// The same of flows that have been routed.
[[nodiscard]] double latencyOf(Collective collective, FlowShape shape, const DeviceGroup& group,
                               const RoutedFlows& routed, const Topology& topology);

}  // namespace p2
