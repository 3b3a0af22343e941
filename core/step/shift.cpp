// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/shift.h"

#include <algorithm>

#include "cost/flows/channel_flows.h"
#include "cost/flows/link_loads.h"
#include "cost/flows/listed_load.h"
#include "cost/flows/uniform_load.h"
#include "cost/flows/unit_load.h"

namespace p2::inline step {
namespace {

constexpr std::int64_t kMostInOpenChains = 4096;  // devices; their messages go through many others

/// Counts of messages between neighbours, for any group: two devices, in one node or in two.
void tellPeers(Traffic& traffic) {
  traffic.members = 2;
  traffic.nodes = traffic.nodes > 1 ? 2 : 1;
  traffic.hops.count = 1;
}

Traffic countedTraffic(const Topology& topology, const SynthesisHierarchy& hierarchy, Traffic traffic,
                       const CostModel& model) {
  const std::vector<GroupShare> whole{GroupShare{}};
  const UniformLoad load(topology, *traffic.machine, hierarchy, {0, hierarchy.levelCount(), false});
  traffic.loads = load.loads(FlowShape::Ring, whole);
  traffic.own = load.ownLoads(FlowShape::Ring, whole, model.caps(*traffic.machine, Algorithm::Ring));
  traffic.hops = load.hops(Collective::AllGather, FlowShape::Ring);
  traffic.path = load.path();
  traffic.nodes = load.nodes();
  return traffic;
}

Traffic repeatedTraffic(const Topology& topology, const SynthesisHierarchy& hierarchy, Traffic traffic, bool closed) {
  const UnitLoad load(topology, *traffic.machine, hierarchy, {0, hierarchy.levelCount(), false});
  const UnitLoad::RingLoad ring = load.ring(closed);
  traffic.loads = ring.loads;
  traffic.hops.latency = ring.slowest;
  traffic.path.slowest = ring.slowestAcross;
  traffic.nodes = load.nodes();
  return traffic;
}

Traffic listedTraffic(const Topology& topology, const SynthesisHierarchy& hierarchy, Traffic traffic, bool closed,
                      const CostModel& model) {
  LinkLoads loads(topology);
  OwnLoads own(topology, model.caps(*traffic.machine, Algorithm::Ring));
  for (const DeviceGroup& group : hierarchy.groups({0, hierarchy.levelCount(), false})) {
    const RoutedFlows routed = shiftFlows(topology, group, closed);
    loads.add(routed, Bytes(1));
    own.add(routed, Bytes(1));
    const Hops hops = hopsOf(Collective::AllGather, FlowShape::Ring, group, routed, topology, *traffic.machine);
    traffic.hops.latency = std::max(traffic.hops.latency, hops.latency);
    const ChannelPath path = channelPath(group, *traffic.machine, topology);
    traffic.path.slowest = std::max(traffic.path.slowest, path.slowest);
    traffic.nodes = std::max(traffic.nodes, nodeCountOf(group, traffic.machine->nodeDevices));
  }
  traffic.loads = loads.busiestLinks();
  traffic.own = own.busiestLinks();
  return traffic;
}

}  // namespace

RoutedFlows shiftFlows(const Topology& topology, const DeviceGroup& group, bool closed) {
  std::vector<Flow> flows = loopFlows(group);
  if (!closed) flows.pop_back();
  return routedOver(std::move(flows), topology);
}

Traffic shiftTraffic(const Topology& topology, const SynthesisHierarchy& hierarchy, bool closed,
                     const CostModel& model) {
  // Priced as messages straight from device to device, as an AllToAll is.
  Traffic traffic;
  traffic.collective = Collective::AllToAll;
  traffic.machine = std::make_shared<const LibraryView>(libraryViewOf(topology));
  const bool forwards = std::any_of(topology.levels().begin(), topology.levels().end(),
                                    [](const auto& level) { return level.kind == InterconnectKind::Ring; });
  const bool isSmall = topology.deviceCount() <= kMostInOpenChains;
  const bool count = topology.isUniform() && (closed || !forwards || !isSmall);
  const bool repeats = topology.units() != nullptr && model.caps(*traffic.machine, Algorithm::Ring).empty();
  if (repeats) {
    traffic = repeatedTraffic(topology, hierarchy, std::move(traffic), closed);
    tellPeers(traffic);
    return traffic;
  }
  traffic = count ? countedTraffic(topology, hierarchy, std::move(traffic), model)
                  : listedTraffic(topology, hierarchy, std::move(traffic), closed, model);
  tellPeers(traffic);
  return traffic;
}

}  // namespace p2::inline step
