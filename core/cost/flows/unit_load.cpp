// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/unit_load.h"

#include <algorithm>

#include "cost/flows/channel_flows.h"

namespace p2::inline cost {
namespace {

/// The parts of ascending numbers above and below a size; each number is a sum of one of both.
std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> split(const std::vector<std::int64_t>& numbers,
                                                                      std::int64_t size) {
  std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> parts;
  for (const std::int64_t number : numbers) {
    if (parts.first.empty() || parts.first.back() != number / size) parts.first.push_back(number / size);
    if (number < size) parts.second.push_back(number);
  }
  return parts;
}

}  // namespace

UnitLoad::UnitLoad(const Topology& topology, const LibraryView& machine, const SynthesisHierarchy& hierarchy,
                   const GroupPattern& pattern, std::stop_token stop)
    : m_topology(topology),
      m_units(*topology.units()),
      m_machine(machine),
      m_hierarchy(hierarchy),
      m_pattern(pattern),
      m_stop(std::move(stop)),
      m_layout(hierarchy.layoutOf(pattern)) {
  std::tie(m_outer, m_inner) = split(m_layout.bases, m_units.unitDevices());
  for (std::size_t depth = 0; depth <= m_units.depth(); ++depth) {
    const auto same = std::count_if(m_outer.begin(), m_outer.end(),
                                    [&](std::int64_t node) { return m_units.instanceAt(depth, node) == 0; });
    m_times.push_back(static_cast<double>(same));
  }
}

DeviceGroup UnitLoad::groupAt(std::int64_t base) const {
  DeviceGroup group;
  group.reserve(m_layout.offsets.size());
  for (const std::int64_t offset : m_layout.offsets) group.emplace_back(base + offset);
  return group;
}

double UnitLoad::shareOf(std::int64_t base, const std::vector<GroupShare>& shares) const {
  auto own = shares.begin();
  if (shares.size() > 1) {
    LevelSet nonFirst = 0;
    for (int level = 0; level < m_hierarchy.levelCount(); ++level) {
      if (m_pattern.varies(level + 1)) continue;
      const std::vector<Digit>& digits = m_hierarchy.levels()[static_cast<std::size_t>(level)].digits;
      const bool isFirst =
          std::all_of(digits.begin(), digits.end(), [&](const Digit& d) { return d.of(Device(base)) == 0; });
      if (!isFirst) nonFirst = static_cast<LevelSet>(nonFirst | 1u << level);
    }
    own = std::find_if(shares.begin(), shares.end(),
                       [&](const GroupShare& share) { return share.outsideClass == nonFirst; });
  }
  double share = 1;
  const std::vector<std::int64_t> sizes = m_hierarchy.sizes();
  for (std::size_t level = 0; level < sizes.size(); ++level) {
    if ((own->split >> level & 1) != 0) share /= static_cast<double>(sizes[level]);
  }
  return share;
}

bool UnitLoad::oneForAll(const std::vector<GroupShare>& shares) const {
  return m_units.classCount() == 1 && !m_units.hasSharedLinks() && shares.size() == 1;
}

void UnitLoad::eachBase(bool forAll, const std::function<void(std::int64_t)>& visit) const {
  for (const std::int64_t outer : m_outer) {
    for (const std::int64_t inner : m_inner) visit(outer * m_units.unitDevices() + inner);
    if (forAll) return;
  }
}

void UnitLoad::addRoute(LinkLoads& loads, Device from, Device to, double weight, bool forAll) const {
  const auto* hops = m_topology.hops(from, to);
  const std::int64_t source = from.value() / m_units.unitDevices();
  const std::int64_t target = to.value() / m_units.unitDevices();
  if (hops != nullptr) {
    for (const UnitRoutes::Hop& hop : *hops) {
      loads.add(m_units.link(hop, source, target), forAll ? weight * m_times[hop.depth] : weight);
    }
    return;
  }
  std::vector<LinkId> links;
  for (const std::int64_t outer : m_outer) {
    const std::int64_t shift = forAll ? outer * m_units.unitDevices() : 0;
    links.clear();
    m_topology.route(Device(from.value() + shift), Device(to.value() + shift), links);
    for (const LinkId link : links) loads.add(link, weight);
    if (!forAll) return;
  }
}

/// The flows belong to the group with the base 0.
void UnitLoad::addFlows(LinkLoads& loads, const std::vector<Flow>& flows, const std::vector<GroupShare>& shares,
                        const std::optional<RailRelays>& relays) const {
  const bool forAll = oneForAll(shares);
  eachBase(forAll, [&](std::int64_t base) {
    const double share = shareOf(base, shares);
    const DeviceGroup group = relays ? groupAt(base) : DeviceGroup();
    for (const Flow& flow : flows) {
      if (m_stop.stop_requested()) return;
      const Device from(base + flow.from.value());
      const Device to(base + flow.to.value());
      const Device relay = relays ? relays->relayOf(from, to, membersOf(group)) : from;
      if (relay != from) addRoute(loads, from, relay, share * flow.weight, forAll);
      addRoute(loads, relay, to, share * flow.weight, forAll);
    }
  });
}

bool UnitLoad::addExchange(LinkLoads& loads, FlowShape shape, const std::vector<GroupShare>& shares) const {
  const bool forAll = oneForAll(shares);
  const auto relays = RailRelays::of(shape, m_topology, m_machine);
  const auto [nodes, local] = split(m_layout.offsets, m_units.unitDevices());
  bool done = true;
  eachBase(forAll, [&](std::int64_t base) {
    if (!done || m_stop.stop_requested()) return;
    std::vector<std::int64_t> ownNodes = nodes;
    std::vector<std::int64_t> ownLocal = local;
    for (std::int64_t& node : ownNodes) node += base / m_units.unitDevices();
    for (std::int64_t& device : ownLocal) device += base % m_units.unitDevices();
    const double weight = shareOf(base, shares) / static_cast<double>(m_layout.offsets.size());
    const ExchangeLoad each(m_topology, std::move(ownNodes), std::move(ownLocal), relays);
    done = each.addTo(loads, weight, [&](std::size_t depth) { return forAll ? m_times[depth] : 1.0; });
  });
  return done;
}

std::vector<LinkLoad> UnitLoad::loads(FlowShape shape, const std::vector<GroupShare>& shares) const {
  if (withoutRails(shape) == FlowShape::Exchange) {
    LinkLoads loads(m_topology);
    if (addExchange(loads, shape, shares)) return loads.busiestLinks();
  }
  LinkLoads loads(m_topology);
  addFlows(loads, flowsOf(shape, groupAt(0), m_machine), shares, RailRelays::of(shape, m_topology, m_machine));
  return loads.busiestLinks();
}

UnitLoad::RingLoad UnitLoad::ring(bool closed) const {
  std::vector<Flow> flows = loopFlows(groupAt(0));
  if (!closed) flows.pop_back();
  RingLoad ring;
  LinkLoads loads(m_topology);
  addFlows(loads, flows, {GroupShare{}});
  ring.loads = loads.busiestLinks();
  eachBase(m_units.classCount() == 1, [&](std::int64_t base) {
    for (const Flow& flow : flows) {
      if (m_stop.stop_requested()) return;
      const double latency = m_topology.routeLatency(Device(base + flow.from.value()), Device(base + flow.to.value()));
      ring.slowest = std::max(ring.slowest, latency);
    }
    ring.slowestAcross = std::max(ring.slowestAcross, channelPath(groupAt(base), m_machine, m_topology).slowest);
  });
  return ring;
}

std::vector<LinkLoad> UnitLoad::ownLoads(FlowShape shape, const std::vector<GroupShare>& shares,
                                         std::span<const double> caps) const {
  if (caps.empty()) return {};
  OwnLoads own(m_topology, caps);
  if (withoutRails(shape) == FlowShape::Exchange) {
    LinkLoads loads(m_topology);
    double most = 0;
    for (const std::int64_t base : m_layout.bases) {
      most = std::max(most, shareOf(base, shares));
      if (shares.size() == 1) break;
    }
    if (addExchange(loads, shape, shares)) {
      for (const LinkId link : loads.loaded()) own.add(link, most / static_cast<double>(m_layout.offsets.size()));
      return own.busiestLinks();
    }
  }
  eachBase(oneForAll(shares), [&](std::int64_t base) {
    if (m_stop.stop_requested()) return;
    own.add(routedFlows(shape, groupAt(base), m_topology, m_machine, m_stop), Bytes(shareOf(base, shares)));
  });
  return own.busiestLinks();
}

Hops UnitLoad::hops(Collective collective, FlowShape shape) const {
  Hops slowest;
  const bool forAll = m_units.classCount() == 1;
  const auto relays = RailRelays::of(shape, m_topology, m_machine);
  const auto [nodes, local] = split(m_layout.offsets, m_units.unitDevices());
  eachBase(forAll, [&](std::int64_t base) {
    if (m_stop.stop_requested()) return;
    const DeviceGroup group = groupAt(base);
    Hops hops;
    const bool exchanges = withoutRails(shape) == FlowShape::Exchange;
    const auto exchange = exchanges ? ExchangeLoad::of(m_topology, group, relays) : std::nullopt;
    const double direct = exchange ? exchange->slowestRoute() : -1;
    if (direct >= 0) {
      hops = {group.size() > 1 ? 1.0 : 0.0, direct};
    } else {
      hops = hopsOf(collective, shape, group, routedFlows(shape, group, m_topology, m_machine, m_stop), m_topology,
                    m_machine);
    }
    if (hops.seconds() >= slowest.seconds()) slowest = hops;
  });
  return slowest;
}

ChannelPath UnitLoad::path() const {
  ChannelPath longest;
  eachBase(m_units.classCount() == 1, [&](std::int64_t base) {
    if (m_stop.stop_requested()) return;
    const ChannelPath path = channelPath(groupAt(base), m_machine, m_topology);
    if (path.seconds() >= longest.seconds()) longest = path;
  });
  return longest;
}

std::int64_t UnitLoad::nodes() const { return nodeCountOf(groupAt(0), m_machine.nodeDevices); }

}  // namespace p2::inline cost
