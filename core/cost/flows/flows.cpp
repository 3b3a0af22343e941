// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/flows.h"

#include <algorithm>
#include <bit>

#include "cost/flows/channel_flows.h"
#include "cost/flows/detail/double_binary_tree.h"
#include "cost/flows/rail_relays.h"

namespace p2::inline cost {
namespace {

/// Over a mesh the rings take all ways round, so that every pair of a run carries as much, and leave it at every
/// member.
std::vector<Flow> meshRingFlows(const DeviceGroup& group, const LibraryView& machine) {
  std::vector<Flow> flows;
  const std::vector<DeviceGroup> runs = nodesOfGroup(group, machine.nodeDevices);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const DeviceGroup& run = runs[i];
    const auto members = static_cast<double>(run.size());
    const double pair = 1 / (runs.size() == 1 ? members - 1 : members);
    for (const Device from : run) {
      for (const Device to : run) {
        if (from != to) flows.push_back({from, to, pair});
      }
    }
    if (runs.size() == 1) break;
    const DeviceGroup& next = runs[(i + 1) % runs.size()];
    for (std::size_t j = 0; j < run.size(); ++j) flows.push_back({run[j], next[j % next.size()], 1 / members});
  }
  return flows;
}

/// Whole nodes whose devices are on a ring of links: as many rings as devices, each entering a node at another one and
/// leaving it at the device before, so that all NICs work.
std::vector<Flow> turningRingFlows(const std::vector<DeviceGroup>& nodes) {
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const DeviceGroup& node = nodes[i];
    const DeviceGroup& next = nodes[(i + 1) % nodes.size()];
    const auto members = static_cast<double>(node.size());
    for (std::size_t j = 0; j < node.size(); ++j) {
      flows.push_back({node[j], node[(j + 1) % node.size()], 1 - 1 / members});
      flows.push_back({node[j], next[j], 1 / members});
    }
  }
  return flows;
}

bool takesTurns(const std::vector<DeviceGroup>& nodes, const LibraryView& machine) {
  return nodes.size() > 1 && std::all_of(nodes.begin(), nodes.end(), [&](const DeviceGroup& node) {
           return static_cast<std::int64_t>(node.size()) == machine.nodeDevices;
         });
}

std::vector<Flow> treeFlows(const DeviceGroup& group, const LibraryView& machine) {
  std::vector<Flow> flows;
  const auto bothWays = [&](Device a, Device b, double weight) {
    flows.push_back({a, b, weight});
    flows.push_back({b, a, weight});
  };
  const std::vector<DeviceGroup> chains = nodesOfGroup(group, machine.nodeDevices);
  for (const DeviceGroup& chain : chains) {
    for (std::size_t i = 1; i < chain.size(); ++i) bothWays(chain[i - 1], chain[i], 1);
  }
  const auto head = [&](std::int64_t i) { return chains[static_cast<std::size_t>(i)][0]; };
  for (const TreeEdge& edge : doubleBinaryTree(static_cast<std::int64_t>(chains.size()))) {
    bothWays(head(edge.child), head(edge.parent), 0.5);
  }
  return flows;
}

std::vector<Flow> spreadFlows(const DeviceGroup& group) {
  std::vector<Flow> flows;
  const double share = 1.0 / static_cast<double>(group.size());
  for (std::size_t i = 1; i < group.size(); ++i) flows.push_back({group[0], group[i], share});
  return flows;
}

/// The ring from the first member on, half as much on its two edges; `up` for the same backwards.
std::vector<Flow> chainFlows(const DeviceGroup& group, bool up) {
  std::vector<Flow> flows;
  const std::size_t size = group.size();
  const auto add = [&](std::size_t i, double weight) {
    const Device from = group[i];
    const Device to = group[(i + 1) % size];
    flows.push_back(up ? Flow{to, from, weight} : Flow{from, to, weight});
  };
  if (size < 2) return flows;
  flows.reserve(size);
  add(0, size == 2 ? 1 : 0.5);
  if (size == 2) return flows;
  for (std::size_t i = 1; i + 1 < size; ++i) add(i, 1);
  add(size - 1, 0.5);
  return flows;
}

}  // namespace

std::vector<Flow> flowsOf(FlowShape shape, const DeviceGroup& group, const LibraryView& machine) {
  if (shape == FlowShape::Tree) return treeFlows(group, machine);
  if (withoutRails(shape) == FlowShape::Spread) return spreadFlows(group);
  if (usesChannels(shape)) return channelFlows(shape, group, machine);
  if (isChain(shape)) return chainFlows(group, shape == FlowShape::ChainToRoot);
  if (machine.mesh && group.size() > 2) return meshRingFlows(group, machine);
  if (!machine.ringOfAll) return loopFlows(group);
  const std::vector<DeviceGroup> nodes = nodesOfGroup(group, machine.nodeDevices);
  return takesTurns(nodes, machine) ? turningRingFlows(nodes) : loopFlows(group);
}

std::vector<Flow> loopFlows(const DeviceGroup& group) {
  std::vector<Flow> flows;
  flows.reserve(group.size());
  for (std::size_t i = 1; i < group.size(); ++i) flows.push_back({group[i - 1], group[i], 1});
  flows.push_back({group.back(), group.front(), 1});
  return flows;
}

RoutedFlows routedFlows(FlowShape shape, const DeviceGroup& group, const Topology& topology, const LibraryView& machine,
                        const std::stop_token& stop) {
  const auto relays = RailRelays::of(shape, topology, machine);
  if (!relays) return routedOver(flowsOf(shape, group, machine), topology, stop);
  RoutedFlows routed;
  routed.flows = flowsOf(shape, group, machine);
  for (const Flow& flow : routed.flows) {
    if (!stop.stop_requested()) {
      const Device relay = relays->relayOf(flow.from, flow.to, membersOf(group));
      topology.route(flow.from, relay, routed.links);
      topology.route(relay, flow.to, routed.links);
    }
    routed.ends.push_back(routed.links.size());
  }
  return routed;
}

RoutedFlows routedOver(std::vector<Flow> flows, const Topology& topology, const std::stop_token& stop) {
  RoutedFlows routed;
  routed.flows = std::move(flows);
  for (const Flow& flow : routed.flows) {
    if (!stop.stop_requested()) topology.route(flow.from, flow.to, routed.links);
    routed.ends.push_back(routed.links.size());
  }
  return routed;
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

Hops hopsOf(Collective collective, FlowShape shape, const DeviceGroup& group, const RoutedFlows& routed,
            const Topology& topology, const LibraryView& machine) {
  return hopsOf(collective, shape, group, slowestHop(routed, topology), machine);
}

Hops hopsOf(Collective collective, FlowShape shape, const DeviceGroup& group, double slowestRoute,
            const LibraryView& machine) {
  if (isDirect(shape)) return {group.size() > 1 ? 1.0 : 0.0, slowestRoute};
  if (shape != FlowShape::Tree) {
    return {static_cast<double>(traitsOf(collective).rounds) * static_cast<double>(group.size() - 1), slowestRoute};
  }
  std::size_t chainLength = 0;
  const std::vector<DeviceGroup> chains = nodesOfGroup(group, machine.nodeDevices);
  for (const DeviceGroup& chain : chains) chainLength = std::max(chainLength, chain.size() - 1);
  return {2 * (static_cast<double>(chainLength) + static_cast<double>(std::bit_width(chains.size() - 1))),
          slowestRoute};
}

}  // namespace p2::inline cost
