// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/simulator.h"

#include <algorithm>
#include <map>

#include "cost/flows/channel_flows.h"
#include "cost/flows/exchange_load.h"
#include "cost/flows/link_loads.h"
#include "cost/flows/rail_relays.h"
#include "cost/flows/torus_loads.h"

namespace p2::inline cost {

namespace {

/// The load of an AllToAll over a torus, or where its routes repeat from node to node; false elsewhere.
bool addExchange(const Topology& topology, const DeviceGroup& group, const std::optional<RailRelays>& relays,
                 double flow, LinkLoads& loads, OwnLoads& own, Hops& hops) {
  if (const TorusRoutes* torus = topology.torus(); torus != nullptr && !own.hasCaps()) {
    TorusLoads each(*torus);
    each.addExchange(group, flow / static_cast<double>(group.size()));
    each.addTo(loads);
    hops = {group.size() > 1 ? 1.0 : 0.0, slowestExchange(*torus, group)};
    return true;
  }
  const auto exchange = ExchangeLoad::of(topology, group, relays);
  if (!exchange) return false;
  LinkLoads each(topology);
  const double weight = flow / static_cast<double>(group.size());
  if (!exchange->addTo(each, weight, [](std::size_t) { return 1.0; })) return false;
  loads.add(each);
  for (const LinkId link : each.loaded()) own.add(link, weight);
  const Hops direct{group.size() > 1 ? 1.0 : 0.0, exchange->slowestRoute()};
  if (direct.seconds() >= hops.seconds()) hops = direct;
  return true;
}

/// The load of all rings of a torus; false where the group has none.
bool addTorusRings(const Topology& topology, Collective collective, const DeviceGroup& group, double flow,
                   LinkLoads& loads, Hops& hops) {
  const TorusRoutes* torus = topology.torus();
  if (torus == nullptr) return false;
  TorusLoads each(*torus);
  const auto rings = each.addRings(topology, group, flow);
  if (!rings) return false;
  each.addTo(loads);
  hops = ringHops(collective, *torus, *rings);
  return true;
}

Traffic trafficOn(const std::shared_ptr<const LibraryView>& machine, const Topology& topology, const LoweredStep& step,
                  const CostModel& model, Algorithm algorithm, const std::stop_token& stop = {}) {
  const FlowShape shape = model.shape(step.collective, algorithm);
  Traffic traffic{step.collective, algorithm, {}, {}, 1, 0, {}, {}, 0, 0, machine};
  LinkLoads loads(topology);
  OwnLoads own(topology, model.caps(*machine, algorithm));
  const auto relays = RailRelays::of(shape, topology, *machine);
  for (const LoweredGroup& group : step.groups) {
    if (stop.stop_requested()) break;
    const auto members = static_cast<std::int64_t>(group.devices.size());
    const double flow = workingShare(step.collective, group) * model.factor(step.collective, algorithm, members);
    traffic.flow = std::max(traffic.flow, flow);
    traffic.members = std::max(traffic.members, members);
    traffic.nodes = std::max(traffic.nodes, nodeCountOf(group.devices, machine->nodeDevices));
    if (hasPath(shape)) {
      const ChannelPath path = channelPath(group.devices, *machine, topology);
      if (path.seconds() >= traffic.path.seconds()) traffic.path = path;
    }
    Hops direct;
    const bool isCounted = (withoutRails(shape) == FlowShape::Exchange &&
                            addExchange(topology, group.devices, relays, flow, loads, own, direct)) ||
                           (shape == FlowShape::TorusRings &&
                            addTorusRings(topology, step.collective, group.devices, flow, loads, direct));
    if (isCounted) {
      if (hasHops(shape) && direct.seconds() >= traffic.hops.seconds()) traffic.hops = direct;
      continue;
    }
    const RoutedFlows routed = routedFlows(shape, group.devices, topology, *machine, stop);
    loads.add(routed, Bytes(flow));
    own.add(routed, Bytes(flow));
    if (hasHops(shape)) {
      const Hops hops = hopsOf(step.collective, shape, group.devices, routed, topology, *machine);
      if (hops.seconds() >= traffic.hops.seconds()) traffic.hops = hops;
    }
  }
  traffic.loads = loads.busiestLinks();
  traffic.own = own.busiestLinks();
  return traffic;
}

}  // namespace

Traffic trafficOf(const Topology& topology, const LoweredStep& step, const CostModel& model, Algorithm algorithm) {
  return trafficOn(std::make_shared<LibraryView>(libraryViewOf(topology)), topology, step, model, algorithm);
}

Traffic allToAllTraffic(const Topology& topology, const DeviceGroup& group) {
  const auto machine = std::make_shared<const LibraryView>(libraryViewOf(topology));
  LinkLoads loads(topology);
  OwnLoads own(topology, {});
  Hops hops;
  const FlowShape shape = FlowShape::RailExchange;
  if (!addExchange(topology, group, RailRelays::of(shape, topology, *machine), 1, loads, own, hops)) {
    loads.add(routedFlows(shape, group, topology, *machine), Bytes(1));
  }
  return {Collective::AllToAll,
          Algorithm::Direct,
          loads.busiestLinks(),
          {},
          1,
          1,
          {},
          channelPath(group, *machine, topology),
          static_cast<std::int64_t>(group.size()),
          nodeCountOf(group, machine->nodeDevices),
          machine};
}

StepCost simulateStep(const Topology& topology, const LoweredStep& step, const CostOptions& options,
                      const std::stop_token& stop) {
  const CostModel& model = modelOf(options);
  const auto machine = std::make_shared<const LibraryView>(libraryViewOf(topology));
  return priceStep(model, step.collective, options, [&](Algorithm algorithm) {
    const Traffic traffic = trafficOn(machine, topology, step, model, algorithm, stop);
    // The loads so far may belong to no group.
    return stop.stop_requested() ? StepCost() : model.price(traffic, options.bytes);
  });
}

BusyStepOf busyStepOf(const Topology& topology, const LoweredStep& step, const CostOptions& options) {
  const auto machine = std::make_shared<const LibraryView>(libraryViewOf(topology));
  return [&topology, step, once = CostOptions{options.algorithm, options.bytes, 1, options.model}, machine,
          known = std::make_shared<std::map<Algorithm, Traffic>>()](Bytes bytes) {
    const CostModel& model = modelOf(once);
    const auto traffic = [&](Algorithm algorithm) -> const Traffic& {
      const auto found = known->find(algorithm);
      if (found != known->end()) return found->second;
      return known->emplace(algorithm, trafficOn(machine, topology, step, model, algorithm)).first->second;
    };
    const StepCost cost = priceStep(model, step.collective, once,
                                    [&](Algorithm algorithm) { return model.price(traffic(algorithm), bytes); });
    BusyStep busy{cost.seconds, cost.lowSeconds, cost.highSeconds, std::vector<double>(machine->across.size(), 0)};
    model.addBusy(traffic(cost.algorithm), bytes, cost, busy.busy);
    return busy;
  };
}

}  // namespace p2::inline cost
