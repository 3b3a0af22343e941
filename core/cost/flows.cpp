// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows.h"

#include <algorithm>
#include <bit>

#include "cost/double_binary_tree.h"

namespace p2 {
namespace {

/// The group cut into runs of devices that share an instance of the level above the devices.
std::vector<DeviceGroup> chainsOf(const DeviceGroup& group, const Topology& topology) {
  const auto& levels = topology.levels();
  const Device perNode = levels.size() < 2 ? topology.deviceCount() : levels[levels.size() - 2].devicesBelow;
  std::vector<DeviceGroup> chains;
  for (const Device device : group) {
    if (chains.empty() || chains.back()[0] / perNode != device / perNode) chains.emplace_back();
    chains.back().push_back(device);
  }
  return chains;
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

double slowestHop(const std::vector<Flow>& flows, const Topology& topology) {
  double slowest = 0;
  for (const Flow& flow : flows) slowest = std::max(slowest, topology.routeLatency(flow.from, flow.to));
  return slowest;
}

}  // namespace

FlowShape shapeOf(Collective collective, bool tree) {
  switch (collective) {
    case Collective::AllReduce: return tree ? FlowShape::Tree : FlowShape::Ring;
    case Collective::Reduce: return FlowShape::ChainToRoot;
    case Collective::Broadcast: return FlowShape::ChainFromRoot;
    default: return FlowShape::Ring;
  }
}

double flowFactor(Collective collective, FlowShape shape, std::int64_t members) {
  if (shape != FlowShape::Ring) return 1;
  const double share = static_cast<double>(members - 1) / static_cast<double>(members);
  return collective == Collective::AllReduce ? 2 * share : share;
}

std::vector<Flow> flowsOf(FlowShape shape, const DeviceGroup& group, const Topology& topology) {
  if (shape == FlowShape::Tree) return treeFlows(group, topology);
  std::vector<Flow> flows;
  flows.reserve(group.size());
  for (std::size_t i = 1; i < group.size(); ++i) {
    const bool up = shape == FlowShape::ChainToRoot;
    flows.push_back({group[up ? i : i - 1], group[up ? i - 1 : i], 1});
  }
  if (shape == FlowShape::Ring) flows.push_back({group.back(), group.front(), 1});
  return flows;
}

double latencyOf(Collective collective, FlowShape shape, const DeviceGroup& group, const Topology& topology) {
  const auto members = static_cast<double>(group.size());
  if (shape != FlowShape::Tree) {
    const double hops = collective == Collective::AllReduce ? 2 * (members - 1) : members - 1;
    return hops * slowestHop(flowsOf(shape, group, topology), topology);
  }
  std::size_t chainLength = 0;
  const std::vector<DeviceGroup> chains = chainsOf(group, topology);
  for (const DeviceGroup& chain : chains) chainLength = std::max(chainLength, chain.size() - 1);
  const double hops = static_cast<double>(chainLength) + std::bit_width(chains.size() - 1);
  return 2 * hops * slowestHop(treeFlows(group, topology), topology);
}

}  // namespace p2
