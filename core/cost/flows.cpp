// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows.h"

#include <algorithm>
#include <bit>

#include "cost/channel_flows.h"
#include "cost/double_binary_tree.h"

namespace p2 {
namespace {

/// The group cut into runs of devices that share an instance of the level above the devices.
std::vector<DeviceGroup> chainsOf(const DeviceGroup& group, const Topology& topology) {
  const auto& levels = topology.levels();
  const std::int64_t perNode = levels.size() < 2 ? topology.deviceCount() : levels[levels.size() - 2].devicesBelow;
  return nodesOfGroup(group, perNode);
}

std::vector<Flow> treeFlows(const DeviceGroup& group, const Topology& topology) {
  std::vector<Flow> flows;
  const auto bothWays = [&](Device a, Device b, double weight) {
    flows.push_back({a, b, weight});
    flows.push_back({b, a, weight});
  };
  const std::vector<DeviceGroup> chains = chainsOf(group, topology);
  for (const DeviceGroup& chain : chains) {
    for (std::size_t i = 1; i < chain.size(); ++i) bothWays(chain[i - 1], chain[i], 1);
  }
  const auto head = [&](std::int64_t i) { return chains[static_cast<std::size_t>(i)][0]; };
  for (const TreeEdge& edge : doubleBinaryTree(static_cast<std::int64_t>(chains.size()))) {
    bothWays(head(edge.child), head(edge.parent), 0.5);
  }
  return flows;
}

double slowestHop(const RoutedFlows& routed, const Topology& topology) {
  double slowest = 0;
  std::size_t begin = 0;
  for (const std::size_t end : routed.ends) {
    double latency = 0;
    for (; begin < end; ++begin) latency += topology.latency(routed.links[begin]);
    slowest = std::max(slowest, latency);
  }
  return slowest;
}

void route(RoutedFlows& routed, const Topology& topology, bool open) {
  routed.links.clear();
  routed.ends.clear();
  for (const Flow& flow : routed.flows) {
    topology.route(flow.from, flow.to, routed.links, open);
    // Where nothing else leads there, a message has to take what does not close.
    const bool none = routed.links.size() == (routed.ends.empty() ? 0 : routed.ends.back());
    if (open && none) topology.route(flow.from, flow.to, routed.links, false);
    routed.ends.push_back(routed.links.size());
  }
}

/// Whether some of the flows, but not all, take a ring or mesh that does not forward and that joins devices among which
/// all of the group lies.
bool closesHalfWay(const RoutedFlows& routed, const DeviceGroup& group, const Topology& topology) {
  const auto closes = [&](LinkId link) {
    const DeviceRange range = topology.closingRange(link);
    return range.holds(group.front()) && range.holds(group.back());
  };
  std::size_t closing = 0;
  std::size_t begin = 0;
  for (const std::size_t end : routed.ends) {
    const auto first = routed.links.begin() + static_cast<std::ptrdiff_t>(begin);
    closing += std::any_of(first, routed.links.begin() + static_cast<std::ptrdiff_t>(end), closes) ? 1 : 0;
    begin = end;
  }
  return closing > 0 && closing < routed.ends.size();
}

}  // namespace

std::vector<Flow> flowsOf(FlowShape shape, const DeviceGroup& group, const Topology& topology,
                          const LibraryView& machine) {
  if (shape == FlowShape::Tree) return treeFlows(group, topology);
  if (usesChannels(shape)) return channelFlows(shape, group, machine);
  std::vector<Flow> flows;
  flows.reserve(group.size());
  for (std::size_t i = 1; i < group.size(); ++i) {
    const bool up = shape == FlowShape::ChainToRoot;
    flows.push_back({group[up ? i : i - 1], group[up ? i - 1 : i], 1});
  }
  if (shape == FlowShape::Ring) flows.push_back({group.back(), group.front(), 1});
  return flows;
}

RoutedFlows routedFlows(FlowShape shape, const DeviceGroup& group, const Topology& topology,
                        const LibraryView& machine) {
  RoutedFlows routed;
  routed.flows = flowsOf(shape, group, topology, machine);
  route(routed, topology, false);
  if ((shape == FlowShape::Ring || shape == FlowShape::RailRing) && closesHalfWay(routed, group, topology))
    route(routed, topology, true);
  return routed;
}

Hops hopsOf(Collective collective, FlowShape shape, const DeviceGroup& group, const RoutedFlows& routed,
            const Topology& topology) {
  const double slowest = slowestHop(routed, topology);
  if (shape != FlowShape::Tree) {
    return {static_cast<double>(traitsOf(collective).rounds) * static_cast<double>(group.size() - 1), slowest};
  }
  std::size_t chainLength = 0;
  const std::vector<DeviceGroup> chains = chainsOf(group, topology);
  for (const DeviceGroup& chain : chains) chainLength = std::max(chainLength, chain.size() - 1);
  return {2 * (static_cast<double>(chainLength) + static_cast<double>(std::bit_width(chains.size() - 1))), slowest};
}

}  // namespace p2
