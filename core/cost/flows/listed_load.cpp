// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/listed_load.h"

#include <algorithm>
#include <vector>

#include "cost/flows/channel_flows.h"
#include "cost/flows/link_loads.h"
#include "cost/flows/torus_loads.h"
#include "system/torus_routes.h"

namespace p2::inline cost {
ListedLoad::ListedLoad(const Topology& topology, const LibraryView& machine, const SynthesisHierarchy& hierarchy,
                       const GroupPattern& pattern, std::stop_token stop, const TorusRoutes* torus)
    : m_topology(topology),
      m_machine(machine),
      m_torus(torus),
      m_stop(std::move(stop)),
      m_sizes(hierarchy.sizes()),
      m_groups(hierarchy.groups(pattern)) {
  for (const DeviceGroup& group : m_groups) m_outside.push_back(outsideClassOf(hierarchy, pattern, group.front()));
}

LevelSet ListedLoad::outsideClassOf(const SynthesisHierarchy& hierarchy, const GroupPattern& pattern,
                                    Device first) const {
  LevelSet nonFirst = 0;
  for (int level = 0; level < hierarchy.levelCount(); ++level) {
    if (pattern.varies(level + 1)) continue;
    const std::vector<Digit>& digits = hierarchy.levels()[static_cast<std::size_t>(level)].digits;
    const bool isFirst = std::all_of(digits.begin(), digits.end(), [&](const Digit& d) { return d.of(first) == 0; });
    if (!isFirst) nonFirst = static_cast<LevelSet>(nonFirst | 1u << level);
  }
  return nonFirst;
}

double ListedLoad::shareOf(std::size_t group, const std::vector<GroupShare>& shares) const {
  const auto own =
      shares.size() == 1 ? shares.begin() : std::find_if(shares.begin(), shares.end(), [&](const GroupShare& share) {
        return share.outsideClass == m_outside[group];
      });
  double share = 1;
  for (std::size_t level = 0; level < m_sizes.size(); ++level) {
    if ((own->split >> level & 1) != 0) share /= static_cast<double>(m_sizes[level]);
  }
  return share;
}

const ListedLoad::RoutedGroups& ListedLoad::routed(FlowShape shape) {
  std::optional<RoutedGroups>& known = m_routed[static_cast<std::size_t>(shape)];
  if (!known) {
    known.emplace();
    for (const DeviceGroup& group : m_groups)
      known->push_back(routedFlows(shape, group, m_topology, m_machine, m_stop));
  }
  return *known;
}

std::vector<LinkLoad> ListedLoad::loads(FlowShape shape, const std::vector<GroupShare>& shares) {
  if (m_torus != nullptr) {
    TorusLoads runs(*m_torus);
    for (std::size_t i = 0; i < m_groups.size() && !m_stop.stop_requested(); ++i) {
      const double share = shareOf(i, shares);
      if (withoutRails(shape) == FlowShape::Exchange) {
        runs.addExchange(m_groups[i], share / static_cast<double>(m_groups[i].size()));
        continue;
      }
      if (shape == FlowShape::TorusRings && runs.addRings(m_topology, m_groups[i], share)) continue;
      for (const Flow& flow : flowsOf(shape, m_groups[i], m_machine)) runs.add(flow.from, flow.to, share * flow.weight);
    }
    if (!m_topology.linkGraph()->sharesBandwidth()) return runs.busiestLinks(m_topology);
    LinkLoads loads(m_topology);
    runs.addTo(loads);
    return loads.busiestLinks();
  }
  LinkLoads loads(m_topology);
  const RoutedGroups& groups = routed(shape);
  for (std::size_t i = 0; i < groups.size(); ++i) loads.add(groups[i], Bytes(shareOf(i, shares)));
  return loads.busiestLinks();
}

std::vector<LinkLoad> ListedLoad::ownLoads(FlowShape shape, const std::vector<GroupShare>& shares,
                                           std::span<const double> caps) {
  if (caps.empty()) return {};
  OwnLoads own(m_topology, caps);
  const RoutedGroups& groups = routed(shape);
  for (std::size_t i = 0; i < groups.size(); ++i) own.add(groups[i], Bytes(shareOf(i, shares)));
  return own.busiestLinks();
}

double ListedLoad::slowestRoute(std::size_t group, FlowShape shape) {
  if (m_torus == nullptr) return slowestHop(routed(shape)[group], m_topology);
  double slowest = 0;
  if (!m_torus->hasLatencies()) return slowest;
  if (withoutRails(shape) == FlowShape::Exchange) return slowestExchange(*m_torus, m_groups[group]);
  for (const Flow& flow : flowsOf(shape, m_groups[group], m_machine))
    slowest = std::max(slowest, m_torus->routeLatency(flow.from, flow.to));
  return slowest;
}

Hops ListedLoad::hops(Collective collective, FlowShape shape) {
  Hops slowest;
  for (std::size_t i = 0; i < m_groups.size() && !m_stop.stop_requested(); ++i) {
    const bool hasRings = shape == FlowShape::TorusRings && m_torus != nullptr;
    const auto rings = hasRings ? torusRings(m_topology, *m_torus, m_groups[i]) : std::nullopt;
    const Hops hops = rings ? ringHops(collective, *m_torus, *rings)
                            : hopsOf(collective, shape, m_groups[i], slowestRoute(i, shape), m_machine);
    if (hops.seconds() >= slowest.seconds()) slowest = hops;
  }
  return slowest;
}

ChannelPath ListedLoad::path() const {
  ChannelPath longest;
  for (const DeviceGroup& group : m_groups) {
    if (m_stop.stop_requested()) break;
    const ChannelPath path = channelPath(group, m_machine, m_topology);
    if (path.seconds() >= longest.seconds()) longest = path;
  }
  return longest;
}

std::int64_t ListedLoad::nodes() {
  if (m_nodes > 0) return m_nodes;
  for (const DeviceGroup& group : m_groups) m_nodes = std::max(m_nodes, nodeCountOf(group, m_machine.nodeDevices));
  return m_nodes;
}

}  // namespace p2::inline cost
