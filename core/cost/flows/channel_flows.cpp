// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/channel_flows.h"

#include <algorithm>

#include "base/counted.h"
#include "cost/flows/detail/double_binary_tree.h"
#include "system/interconnects.h"

namespace p2::inline cost {
namespace {

void addLoop(const DeviceGroup& node, double weight, bool down, std::vector<Flow>& flows) {
  for (std::size_t i = 0; i < node.size(); ++i) {
    const Device a = node[i];
    const Device b = node[(i + 1) % node.size()];
    flows.push_back(down ? Flow{b, a, weight} : Flow{a, b, weight});
  }
}

/// Over a mesh the channels take other ways round, so that every pair carries as much.
void addPairs(const DeviceGroup& node, double weight, std::vector<Flow>& flows) {
  for (const Device from : node) {
    for (const Device to : node) {
      if (from != to) flows.push_back({from, to, weight / static_cast<double>(node.size() - 1)});
    }
  }
}

/// From every local member of one node to another's, `shift` members on.
void addRails(const DeviceGroup& from, const DeviceGroup& to, std::size_t shift, double weight,
              std::vector<Flow>& flows) {
  const double share = weight / static_cast<double>(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) flows.push_back({from[i], to[(i + shift) % to.size()], share});
}

/// Whether channels come back over another rail than they left by. A channel enters a node at one member and leaves it
/// at another, a neighbour of the first in the loop: after an odd number of nodes the last hop changes rails. Over a
/// mesh any member is a neighbour, so that three or more can take turns and keep to their rails.
bool changesRails(const std::vector<DeviceGroup>& nodes, const LibraryView& machine) {
  if (nodes.size() % 2 == 0) return false;
  constexpr std::size_t kFewestTurns = 3;
  return !machine.mesh || nodes.front().size() < kFewestTurns;
}

std::vector<Flow> allToAllFlows(const DeviceGroup& group) {
  std::vector<Flow> flows;
  const double share = 1.0 / static_cast<double>(group.size());
  for (const Device from : group) {
    for (const Device to : group) {
      if (from != to) flows.push_back({from, to, share});
    }
  }
  return flows;
}

}  // namespace

std::vector<DeviceGroup> nodesOfGroup(const DeviceGroup& group, std::int64_t nodeDevices) {
  std::vector<DeviceGroup> nodes;
  for (const Device device : group) {
    if (nodes.empty() || nodes.back()[0].value() / nodeDevices != device.value() / nodeDevices) nodes.emplace_back();
    nodes.back().push_back(device);
  }
  return nodes;
}

std::int64_t nodeCountOf(const DeviceGroup& group, std::int64_t nodeDevices) {
  std::int64_t nodes = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (i == 0 || group[i - 1].value() / nodeDevices != group[i].value() / nodeDevices) ++nodes;
  }
  return nodes;
}

ChannelWeights channelWeights(FlowShape shape, std::int64_t local, std::int64_t nodes) {
  const auto members = static_cast<double>(local);
  const double open = local > 1 ? (members - 1) / members : 0;
  // A member sends its vector to the switches' sums, and its part of the sum to all; it receives as much.
  const double multicast = local > 1 ? (members + 1) / members : 0;
  const bool several = nodes > 1;
  switch (shape) {
    case FlowShape::RailRing:
      return {several ? open : (local > 1 ? 1 : 0), false, several ? 1.0 : 0, 0};
    case FlowShape::RailTree:
      return {open, true, 0, several ? 0.5 : 0};
    case FlowShape::Multicast:
      return {multicast, false, 0, 0};
    case FlowShape::MulticastTree:
      return {multicast, false, 0, several ? 0.5 : 0};
    case FlowShape::MulticastRing:
      return {multicast, false, several ? 1.0 : 0, 0};
    case FlowShape::Exchange:
    case FlowShape::RailExchange:
    case FlowShape::RailSpread:
    case FlowShape::Ring:
    case FlowShape::TorusRings:
    case FlowShape::ChainToRoot:
    case FlowShape::ChainFromRoot:
    case FlowShape::Tree:
    case FlowShape::Spread:
      break;
  }
  return {};
}

std::vector<Flow> channelFlows(FlowShape shape, const DeviceGroup& group, const LibraryView& machine) {
  if (withoutRails(shape) == FlowShape::Exchange) return allToAllFlows(group);
  const std::vector<DeviceGroup> nodes = nodesOfGroup(group, machine.nodeDevices);
  const auto count = static_cast<std::int64_t>(nodes.size());
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].size() < 2) continue;
    const ChannelWeights weights = channelWeights(shape, static_cast<std::int64_t>(nodes[i].size()), count);
    if (machine.mesh) {
      addPairs(nodes[i], weights.bothWays ? 2 * weights.loop : weights.loop, flows);
    } else {
      if (weights.bothWays || i % 2 == 0) addLoop(nodes[i], weights.loop, false, flows);
      if (weights.bothWays || i % 2 == 1) addLoop(nodes[i], weights.loop, true, flows);
    }
  }
  const ChannelWeights weights = channelWeights(shape, 1, count);
  const std::size_t turn = changesRails(nodes, machine) ? 1 : 0;
  for (std::size_t i = 0; i < nodes.size() && weights.ring > 0; ++i) {
    const bool last = i + 1 == nodes.size();
    addRails(nodes[i], nodes[last ? 0 : i + 1], last ? turn : 0, weights.ring, flows);
  }
  if (weights.treeEdge == 0) return flows;
  for (const TreeEdge& edge : doubleBinaryTree(count)) {
    const DeviceGroup& child = nodes[static_cast<std::size_t>(edge.child)];
    const DeviceGroup& parent = nodes[static_cast<std::size_t>(edge.parent)];
    addRails(child, parent, 0, weights.treeEdge, flows);
    addRails(parent, child, 0, weights.treeEdge, flows);
  }
  return flows;
}

namespace {

/// Whether flows over a torus are counted without listing them.
bool isTorus(const System& system) {
  const auto hasCaps = [&](const auto& placed) {
    return ringCapOf(placed.link, system.calibrated) > 0 || treeCapOf(placed.link, system.calibrated) > 0;
  };
  const auto all = interconnects(system);
  if (std::any_of(all.begin(), all.end(), hasCaps)) return false;
  const auto isRing = [](const Network& network) { return network.interconnect.kind == InterconnectKind::Ring; };
  if (!std::all_of(system.networks.begin(), system.networks.end(), isRing)) return false;
  const auto valid = validated(system);
  return valid.ok() && Topology(*valid).torus() != nullptr;
}

}  // namespace

Result<void> checkAllToAll(const System& system, std::int64_t members) {
  const std::int64_t devices = system.deviceCount();
  if (system.isUniform() || repeatsByNode(system) || members <= kMostMessages / devices || isTorus(system)) return {};
  return Error{
      "an AllToAll among " + countedText(members, "device") + " on a system of " + std::to_string(devices) +
          " is over " + std::to_string(kMostMessages) +
          " messages, and where there is more than plain switches and rings each takes a route of its own; use "
          "axes of at most " +
          countedText(kMostMessages / devices, "device"),
      {},
      ErrorKind::TooLarge};
}

ChannelPath channelPath(const DeviceGroup& group, const LibraryView& machine, const Topology& topology) {
  ChannelPath path;
  const std::vector<DeviceGroup> nodes = nodesOfGroup(group, machine.nodeDevices);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    double inside = 0;
    for (std::size_t j = 1; j < nodes[i].size(); ++j) inside += topology.routeLatency(nodes[i][j - 1], nodes[i][j]);
    path.inside += inside;
    path.node = std::max(path.node, inside);
    if (i == 0) continue;
    const double hop = topology.routeLatency(nodes[i - 1][0], nodes[i][0]);
    path.across += hop;
    path.slowest = std::max(path.slowest, hop);
  }
  return path;
}

}  // namespace p2::inline cost
