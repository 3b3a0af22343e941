// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/detail/listed_lower_bound.h"

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/near.h"
#include "cost/lower_bound.h"

namespace p2::inline cost {
namespace {

constexpr std::size_t kMostInRing = 16;

/// Where the messages within the groups can be: in the smallest instances that hold a whole group each, unless some
/// route leads elsewhere; then everywhere. Asking for the routes is for small systems only.
std::vector<DeviceRange> rangesOf(const Topology& topology, const std::vector<DeviceGroup>& groups) {
  std::vector<DeviceRange> everywhere{{0, topology.deviceCount()}};
  if (topology.deviceCount() > kMostFlowDevices) return everywhere;
  const DeviceGroup& group = groups[0];
  std::int64_t size = topology.deviceCount();
  for (const Topology::LevelLinks& level : topology.levels()) {
    if (level.instanceOf(group.front()) != level.instanceOf(group.back())) break;
    size = level.devicesBelow;
  }
  if (size == topology.deviceCount()) return everywhere;
  std::vector<LinkId> links;
  for (const DeviceGroup& each : groups) {
    for (const Device from : each) {
      for (const Device to : each) {
        links.clear();
        topology.route(from, to, links);
        const std::int64_t first = from.value() / size * size;
        const DeviceRange range{first, first + size};
        const auto leaves = [&](LinkId link) { return !topology.linkGraph()->link(link).within.liesIn(range); };
        if (std::any_of(links.begin(), links.end(), leaves)) return everywhere;
      }
    }
  }
  std::vector<DeviceRange> ranges;
  for (std::int64_t first = 0; first < topology.deviceCount(); first += size) ranges.push_back({first, first + size});
  return ranges;
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text;
}

}  // namespace

ListedLowerBound::ListedLowerBound(const Topology& topology, const SynthesisHierarchy& hierarchy, Collective collective)
    : m_topology(topology),
      m_collective(collective),
      m_groups(hierarchy.groups({0, hierarchy.levelCount(), false})),
      m_groupOf(static_cast<std::size_t>(topology.deviceCount()), 0),
      m_deviceAt(static_cast<std::size_t>(topology.linkGraph()->vertexCount())),
      m_cuts(*topology.linkGraph(), rangesOf(topology, m_groups)) {
  for (std::size_t group = 0; group < m_groups.size(); ++group) {
    for (const Device device : m_groups[group]) m_groupOf[device.index()] = group;
  }
  if (collective == Collective::ReduceScatter && hierarchy.replicatedLevels() != 0) nameShards(hierarchy);
  for (const Device device : IdRange<Device>(topology.deviceCount())) {
    m_deviceAt[static_cast<std::size_t>(m_cuts.graph().wayOut(device))] = device;
  }
}

LeastTime ListedLowerBound::least() {
  LeastTime least = byInstances();
  // The flows know no relays: cuts between a device and its relay would let nothing through.
  if (m_topology.deviceCount() > kMostFlowDevices || !m_topology.linkGraph()->relaysOut().empty() ||
      !m_topology.linkGraph()->relaysIn().empty()) {
    return least;
  }
  const LeastTime flows = byFlows(least.seconds);
  return definitelyLess(least.seconds, flows.seconds) ? flows : least;
}

LeastTime ListedLowerBound::byInstances() {
  m_least = {};
  for (std::size_t level = 0; level < m_topology.levels().size(); ++level) considerLevel(level);
  considerNetworks();
  return m_least;
}

void ListedLowerBound::considerLevel(std::size_t level) {
  const System& system = *m_topology.system();
  const std::int64_t below = m_topology.levels()[level].devicesBelow;
  std::vector<Part> parts;
  for (std::int64_t first = 0; first < m_topology.deviceCount(); first += below) {
    parts.push_back(m_cuts.instance({first, first + below}));
    consider({&parts.back(), 1}, placeName(system, {Place::Kind::Level, level, first / below}));
  }
  const std::string every = "every " + system.levels[level].name;
  consider(parts, every);
  considerRings(level, parts);
  for (std::size_t outer = 0; outer < level; ++outer) {
    const auto share = static_cast<std::size_t>(m_topology.levels()[outer].devicesBelow / below);
    if (share < 2 || share == parts.size()) continue;
    for (std::size_t first = 0; first < parts.size(); first += share) {
      const Place around{Place::Kind::Level, outer, static_cast<std::int64_t>(first / share)};
      consider({&parts[first], share}, every + " of " + placeName(system, around));
    }
  }
}

/// The instances side by side from one on, round the ring that they are in.
Part ListedLowerBound::runOf(std::span<const Part> ring, std::size_t first, std::size_t length) {
  Part run;
  for (std::size_t i = 0; i < length; ++i) {
    const Part& next = ring[(first + i) % ring.size()];
    run.insert(run.end(), next.begin(), next.end());
  }
  return run;
}

void ListedLowerBound::considerRings(std::size_t level, std::span<const Part> parts) {
  const auto count = static_cast<std::size_t>(m_topology.levels()[level].count);
  const bool isRing = m_topology.levels()[level].kind == InterconnectKind::Ring;
  if (!isRing || count > kMostInRing || m_topology.deviceCount() > kMostFlowDevices) return;
  for (std::size_t ring = 0; ring < parts.size(); ring += count) {
    for (std::size_t first = 0; first < count; ++first) {
      for (std::size_t length = 2; length < count; ++length) {
        const Part run = runOf(parts.subspan(ring, count), first, length);
        consider({&run, 1}, nameOf(run));
      }
    }
  }
  considerCuttings(level, parts);
}

// Every ring cut into runs of equal length, with a shorter one at the end.
void ListedLowerBound::considerCuttings(std::size_t level, std::span<const Part> parts) {
  const auto count = static_cast<std::size_t>(m_topology.levels()[level].count);
  const std::string name = " neighbouring " + pluralOf(m_topology.levels()[level].name);
  for (std::size_t length = 2; 2 * length <= count; ++length) {
    for (std::size_t offset = 0; offset < length; ++offset) {
      std::vector<Part> runs;
      for (std::size_t ring = 0; ring < parts.size(); ring += count) {
        for (std::size_t first = 0; first < count; first += length) {
          runs.push_back(runOf(parts.subspan(ring, count), offset + first, std::min(length, count - first)));
        }
      }
      consider(runs, std::to_string(length) + name);
    }
  }
}

void ListedLowerBound::considerNetworks() {
  const System& system = *m_topology.system();
  for (std::size_t network = 0; network < system.networks.size(); ++network) {
    const std::vector<Part> parts = m_cuts.instancesOf(network);
    for (const Part& part : parts) consider({&part, 1}, nameOf(part));
    if (parts.size() > 1 && !overlap(parts)) {
      consider(parts, "every " + system.networks[network].interconnect.name + " with its members");
    }
  }
}

bool ListedLowerBound::overlap(std::span<const Part> parts) const {
  std::vector<bool> seen(m_deviceAt.size(), false);
  for (const Part& part : parts) {
    for (const Vertex vertex : part) {
      if (seen[static_cast<std::size_t>(vertex)]) return true;
      seen[static_cast<std::size_t>(vertex)] = true;
    }
  }
  return false;
}

CutDemand ListedLowerBound::demandOf(std::span<const Part> parts) {
  if (!m_shardOf.empty()) return shardDemandOf(parts);
  struct Held {
    std::int64_t members = 0;  // in all parts
    std::int64_t parts = 0;
    CutDemand apart;  // part by part
  };
  const auto size = static_cast<std::int64_t>(m_groups[0].size());
  std::map<std::size_t, Held> held;
  for (const Part& part : parts) {
    std::map<std::size_t, std::pair<std::int64_t, bool>> inside;
    for (const Vertex vertex : part) {
      const Device device = m_deviceAt[static_cast<std::size_t>(vertex)];
      if (device.isNone()) continue;
      const std::size_t group = m_groupOf[device.index()];
      ++inside[group].first;
      if (m_groups[group].front() == device) inside[group].second = true;
    }
    for (const auto& [group, own] : inside) {
      Held& all = held[group];
      const CutDemand demand = p2::demandOf(m_collective, size, own.first, own.second);
      all.members += own.first;
      ++all.parts;
      all.apart = {all.apart.out + demand.out, all.apart.in + demand.in};
    }
  }
  CutDemand sum;
  const bool reduces = parts.size() > 1 && m_cuts.haveReducingSwitchBetween(parts);
  for (const auto& [group, all] : held) {
    const CutDemand own = all.members == size ? crossingsOf(m_collective, all.parts, reduces) : all.apart;
    sum = {sum.out + own.out, sum.in + own.in};
  }
  return sum;
}

// A message from part to part is one that leaves and one that enters, and might be both on a single link.
void ListedLowerBound::consider(std::span<const Part> parts, const std::string& name) {
  const CutDemand demand = demandOf(parts);
  if (demand.out + demand.in == 0) return;
  const PartLinks links = m_cuts.linksOf(parts);
  if (links.out) keep(demand.out / m_cuts.bandwidthOf(*links.out), name, *links.out);
  if (links.in) keep(demand.in / m_cuts.bandwidthOf(*links.in), name, *links.in);
  if (!links.out || !links.in) return;
  std::vector<LinkId> both;
  std::set_union(links.out->begin(), links.out->end(), links.in->begin(), links.in->end(), std::back_inserter(both));
  if (parts.size() > 1 && both.size() < links.out->size() + links.in->size()) return;
  keep((demand.out + demand.in) / m_cuts.bandwidthOf(both), name, both);
}

void ListedLowerBound::keep(double seconds, const std::string& name, const std::vector<LinkId>& links) {
  if (links.empty() || !definitelyLess(m_least.seconds, seconds)) return;
  const System& system = *m_topology.system();
  std::set<std::string> over;
  for (const LinkId id : links) {
    const Place& owner = m_cuts.graph().link(id).owner;
    const bool network = owner.kind == Place::Kind::Network;
    const Interconnect& own =
        network ? system.networks[owner.index].interconnect : system.levels[owner.index].interconnect;
    over.insert(own.name.empty() ? "the interconnect of " + system.levels[owner.index].name : own.name);
  }
  m_least = {seconds, name + " to " + joined(over)};
}

std::string ListedLowerBound::nameOf(const Part& part) const {
  std::vector<std::int64_t> devices;
  for (const Vertex vertex : part) {
    const Device device = m_deviceAt[static_cast<std::size_t>(vertex)];
    if (!device.isNone()) devices.push_back(device.value());
  }
  if (devices.empty()) return "nothing";
  std::sort(devices.begin(), devices.end());
  const auto count = static_cast<std::int64_t>(devices.size());
  const std::vector<Topology::LevelLinks>& levels = m_topology.levels();
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const bool whole = count == levels[level].devicesBelow && devices.front() % count == 0 &&
                       devices.back() - devices.front() + 1 == count;
    if (whole) return placeName(*m_topology.system(), {Place::Kind::Level, level, devices.front() / count});
  }
  const std::string first = placeName(*m_topology.system(), {Place::Kind::Level, levels.size() - 1, devices.front()});
  return first + " and " + std::to_string(count - 1) + " more";
}

}  // namespace p2::inline cost
