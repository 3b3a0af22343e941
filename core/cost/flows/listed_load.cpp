// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/listed_load.h"

#include <algorithm>
#include <map>
#include <vector>

#include "cost/flows/channel_flows.h"
#include "cost/flows/link_loads.h"
#include "system/torus_routes.h"

namespace p2::inline cost {
namespace {

/// Bytes on the links of a torus, counted by runs of links: a flow costs as much as the torus has networks, however
/// long its route is.
class TorusLoads {
 public:
  /// The torus must outlive it.
  explicit TorusLoads(const TorusRoutes& torus) : m_torus(torus) {}

  /// Adds bytes to every link of a route. O(networks + logarithm of different bytes).
  void add(Device from, Device to, double bytes);
  /// The busiest link of each network, as LinkLoads::busiestLinks(), where no links share their bandwidth.
  /// O(links · different bytes).
  [[nodiscard]] std::vector<LinkLoad> busiestLinks(const Topology& topology) const;
  /// Adds the sums to the loads of the same topology. O(links · different bytes).
  void addTo(LinkLoads& loads) const;

 private:
  [[nodiscard]] std::vector<double> sums() const;

  const TorusRoutes& m_torus;
  // By bytes, then slot: flows that start at a link less those that ended before it. Counts of equal flows, so that
  // links with the same flows have the same load to the last bit.
  std::map<double, std::vector<std::int32_t>> m_changes;
};

void TorusLoads::add(Device from, Device to, double bytes) {
  std::vector<std::int32_t>& changes = m_changes[bytes];
  if (changes.empty()) changes.resize(m_torus.slotCount());
  m_torus.eachRun(from, to, [&](const TorusRoutes::Run& run) {
    const auto at = [&](std::int32_t place) -> std::int32_t& {
      return changes[run.ring + static_cast<std::size_t>(place)];
    };
    const std::int32_t end = run.first + run.count;
    ++at(run.first);
    if (end < run.size) --at(end);
    if (end <= run.size) return;
    ++at(0);
    --at(end - run.size);
  });
}

/// Bytes by link.
std::vector<double> TorusLoads::sums() const {
  const std::vector<TorusRoutes::Ring> rings = m_torus.rings();
  std::vector<double> sums(m_torus.slotCount());
  for (const auto& [bytes, changes] : m_changes) {
    for (const TorusRoutes::Ring& ring : rings) {
      std::int32_t flows = 0;
      for (std::size_t slot = ring.begin; slot < ring.end; ++slot) {
        flows += changes[slot];
        sums[m_torus.linkAt(slot).index()] += bytes * flows;
      }
    }
  }
  return sums;
}

void TorusLoads::addTo(LinkLoads& loads) const {
  const std::vector<double> bytes = sums();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] > 0) loads.add(LinkId(static_cast<std::int64_t>(i)), bytes[i]);
  }
}

std::vector<LinkLoad> TorusLoads::busiestLinks(const Topology& topology) const {
  const std::vector<double> bytes = sums();
  const std::size_t levels = topology.system()->levels.size();
  std::vector<LinkLoad> busiest(topology.system()->networks.size());
  const double bandwidth = topology.bandwidth(m_torus.linkAt(0));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] <= 0) continue;
    const LinkId link(static_cast<std::int64_t>(i));
    const std::size_t network = m_torus.networkOf(link);
    const LinkLoad load{link, bytes[i], bandwidth, levels + network};
    if (load.isBusierThan(busiest[network])) busiest[network] = load;
  }
  std::erase_if(busiest, [](const LinkLoad& load) { return load.link.isNone(); });
  std::sort(busiest.begin(), busiest.end(), [](const LinkLoad& a, const LinkLoad& b) { return a.link < b.link; });
  return busiest;
}

}  // namespace

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
  for (const Flow& flow : flowsOf(shape, m_groups[group], m_machine))
    slowest = std::max(slowest, m_torus->routeLatency(flow.from, flow.to));
  return slowest;
}

Hops ListedLoad::hops(Collective collective, FlowShape shape) {
  Hops slowest;
  for (std::size_t i = 0; i < m_groups.size() && !m_stop.stop_requested(); ++i) {
    const Hops hops = hopsOf(collective, shape, m_groups[i], slowestRoute(i, shape), m_machine);
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

std::int64_t ListedLoad::nodes() const {
  std::int64_t most = 0;
  for (const DeviceGroup& group : m_groups) most = std::max(most, nodeCountOf(group, m_machine.nodeDevices));
  return most;
}

}  // namespace p2::inline cost
