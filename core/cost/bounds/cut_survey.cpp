// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/bounds/detail/cut_survey.h"

#include <algorithm>
#include <set>

#include "base/lists.h"
#include "base/near.h"
#include "collective/collective_traits.h"
#include "system/interconnects.h"
#include "system/torus_routes.h"

namespace p2::inline cost {
namespace {

bool isRooted(Collective collective) {
  const CollectiveTraits& traits = traitsOf(collective);
  return traits.leaves == Leaves::AtRoot || traits.makes == Makes::RootCopy;
}

}  // namespace

CutSurvey::CutSurvey(const Topology& topology, Collective collective, std::vector<DeviceRange> ranges)
    : m_topology(topology),
      m_collective(collective),
      m_cuts(*topology.linkGraph(), std::move(ranges)),
      m_deviceAt(static_cast<std::size_t>(topology.linkGraph()->vertexCount())) {
  find();
}

CutSurvey::CutSurvey(const Topology& topology, Collective collective)
    : m_topology(topology),
      m_collective(collective),
      m_cuts(*topology.linkGraph(), {{0, topology.deviceCount()}}),
      m_deviceAt(static_cast<std::size_t>(topology.linkGraph()->vertexCount())) {
  m_devicesAreEqual = !isRooted(collective);
  if (nodesAreEqual()) {
    m_node = topology.units()->unitDevices();
    m_rest = m_cuts.instance({m_node, topology.deviceCount()});
  }
  find();
}

void CutSurvey::find() {
  for (const Device device : IdRange<Device>(m_topology.deviceCount())) {
    m_deviceAt[static_cast<std::size_t>(m_cuts.graph().wayOut(device))] = device;
  }
  for (std::size_t level = 0; level < m_topology.levels().size(); ++level) considerLevel(level);
  considerNetworks();
  if (m_topology.torus() != nullptr) considerRuns(*m_topology.torus());
}

/// Whether the first node stands for all: one class, no roots, and every port between nodes has a bandwidth of its own.
bool CutSurvey::nodesAreEqual() const {
  const UnitRoutes* units = m_topology.units();
  if (units == nullptr || units->classCount() != 1 || units->unitCount() < 2 || isRooted(m_collective)) return false;
  const System& system = *m_topology.system();
  const auto all = interconnects(system);
  return std::all_of(all.begin(), all.end(), [&](const auto& placed) {
    const bool network = placed.place.kind == Place::Kind::Network;
    const std::size_t depth =
        network ? depthWithin(system, system.networks[placed.place.index].within) : placed.place.index;
    if (depth >= units->depth()) return true;
    const Interconnect& link = placed.link;
    return link.kind != InterconnectKind::Bus && link.core == 0 && !link.shared && !link.halfDuplex;
  });
}

std::vector<std::int32_t> CutSurvey::devicesOf(const Part& part) const {
  std::vector<std::int32_t> devices;
  for (const LinkGraph::Vertex vertex : part) {
    const Device device = m_deviceAt[static_cast<std::size_t>(vertex)];
    if (!device.isNone()) devices.push_back(static_cast<std::int32_t>(device.value()));
  }
  return devices;
}

void CutSurvey::considerLevel(std::size_t level) {
  const System& system = *m_topology.system();
  const std::int64_t below = m_topology.levels()[level].devicesBelow;
  const std::string every = "every " + system.levels[level].name;
  const bool inNode = m_node > 0 && below <= m_node;
  const std::int64_t end = inNode ? m_node : m_topology.deviceCount();
  // A torus looks the same from every device, so that one cut stands for all.
  const bool oneStands = m_devicesAreEqual && below == 1 && m_topology.torus() != nullptr;
  std::vector<Part> parts;
  for (std::int64_t first = 0; first < end; first += below) {
    parts.push_back(m_cuts.instance({first, first + below}));
    if (!oneStands || first == 0)
      consider({&parts.back(), 1}, 1, [&] { return placeName(system, {Place::Kind::Level, level, first / below}); });
  }
  consider(parts, inNode ? m_topology.deviceCount() / m_node : 1, [&] { return every; });
  for (std::size_t outer = 0; outer < level; ++outer) {
    const std::int64_t around = m_topology.levels()[outer].devicesBelow;
    const auto share = static_cast<std::size_t>(around / below);
    if (share < 2 || around == m_topology.deviceCount()) continue;
    if (inNode && around > m_node) {
      std::vector<Part> inside;
      for (std::int64_t first = 0; first < around; first += below)
        inside.push_back(m_cuts.instance({first, first + below}));
      consider(inside, 1, [&] { return every + " of " + placeName(system, {Place::Kind::Level, outer, 0}); });
      continue;
    }
    for (std::size_t first = 0; first < parts.size(); first += share) {
      const Place place{Place::Kind::Level, outer, static_cast<std::int64_t>(first / share)};
      consider({&parts[first], share}, 1, [&] { return every + " of " + placeName(system, place); });
    }
  }
}

void CutSurvey::considerNetworks() {
  const System& system = *m_topology.system();
  for (std::size_t network = 0; network < system.networks.size(); ++network) {
    const Network& own = system.networks[network];
    const std::size_t depth = depthWithin(system, own.within);
    const bool inNode = m_node > 0 && depth >= m_topology.units()->depth();
    std::int64_t inFirst = own.instances;
    for (std::size_t level = m_node > 0 ? m_topology.units()->depth() : 0; level < depth; ++level) {
      inFirst *= system.levels[level].count;
    }
    const std::vector<Part> parts = inNode ? m_cuts.instancesOf(network, inFirst) : m_cuts.instancesOf(network);
    // Every ring of a torus has a border of as many links, all equally wide.
    const bool areEqual = m_topology.torus() != nullptr && !parts.empty();
    const std::optional<Cut> first = areEqual ? cutOf({&parts[0], 1}, {}, 1) : std::nullopt;
    for (const Part& part : parts) {
      if (!areEqual) {
        consider({&part, 1}, 1, [&] { return nameOf(part); });
      } else if (first) {
        m_found.push_back(*first);
        m_found.back().name = nameOf(part);
        m_found.back().parts = {devicesOf(part)};
      }
    }
    const std::int64_t repeats = inNode ? m_topology.deviceCount() / m_node : 1;
    if (static_cast<std::int64_t>(parts.size()) * repeats > 1 && !overlap(parts)) {
      consider(parts, repeats, [&] { return "every " + own.interconnect.name + " with its members"; });
    }
  }
}

/// Runs of a power of two of places along each network, from the first place on and from the middle of such a run:
/// those cut groups that fill runs in halves on both sides. Two links of every ring leave a run, and two enter it.
void CutSurvey::considerRuns(const TorusRoutes& torus) {
  if (m_cuts.sharesBandwidth()) return;
  const double bandwidth = m_topology.bandwidth(torus.linkAt(0));
  for (std::size_t network = 0; network < torus.sizes().size(); ++network) {
    const std::string ring = namesOf({{Place::Kind::Network, network}});
    std::vector<std::vector<std::int32_t>> atPlace(static_cast<std::size_t>(torus.sizes()[network]));
    for (const Device device : IdRange<Device>(m_topology.deviceCount())) {
      atPlace[static_cast<std::size_t>(torus.placeOf(device, network))].push_back(
          static_cast<std::int32_t>(device.value()));
    }
    const CutBorder border{2 * bandwidth * static_cast<double>(atPlace[0].size()), ring};
    for (std::size_t length = 1; 2 * length <= atPlace.size(); length *= 2) {
      for (std::size_t first = 0; first <= length / 2; first += std::max<std::size_t>(1, length / 2)) {
        std::vector<std::int32_t> run;
        for (std::size_t place = first; place < first + length; ++place)
          run.insert(run.end(), atPlace[place].begin(), atPlace[place].end());
        const std::string name =
            "places " + std::to_string(first) + " to " + std::to_string(first + length - 1) + " of " + ring;
        m_found.push_back({name, {std::move(run)}, 1, false, border, border, {}});
      }
    }
  }
}

bool CutSurvey::overlap(std::span<const Part> parts) const {
  std::vector<bool> seen(m_deviceAt.size(), false);
  for (const Part& part : parts) {
    for (const LinkGraph::Vertex vertex : part) {
      if (seen[static_cast<std::size_t>(vertex)]) return true;
      seen[static_cast<std::size_t>(vertex)] = true;
    }
  }
  return false;
}

CutBorder CutSurvey::borderOf(const std::vector<LinkId>& links, std::int64_t repeats) {
  // Few interconnects own many links.
  std::vector<std::pair<Place::Kind, std::size_t>> owners;
  for (const LinkId link : links) {
    const Place& place = m_cuts.graph().link(link).owner;
    const std::pair owner(place.kind, place.index);
    if (std::find(owners.rbegin(), owners.rend(), owner) == owners.rend()) owners.push_back(owner);
  }
  if (owners != m_lastOwners) {
    m_lastOver = namesOf(owners);
    m_lastOwners = std::move(owners);
  }
  return {m_cuts.bandwidthOf(links) * static_cast<double>(repeats), m_lastOver};
}

std::string CutSurvey::namesOf(const std::vector<std::pair<Place::Kind, std::size_t>>& owners) const {
  const System& system = *m_topology.system();
  std::set<std::string> names;
  for (const auto& [kind, index] : owners) {
    const bool network = kind == Place::Kind::Network;
    const Interconnect& own = network ? system.networks[index].interconnect : system.levels[index].interconnect;
    names.insert(own.name.empty() ? "the interconnect of " + system.levels[index].name : own.name);
  }
  return joined(names, " and ");
}

void CutSurvey::consider(std::span<const Part> parts, std::int64_t repeats, const std::function<std::string()>& name) {
  auto cut = cutOf(parts, {}, repeats);
  if (!cut || isLikeDeviceBefore(*cut)) return;
  cut->name = name();
  m_found.push_back(std::move(*cut));
}

/// Whether a cut asks for as long as the one around the device before, which is kept. Most cuts of large systems do.
bool CutSurvey::isLikeDeviceBefore(const Cut& cut) {
  if (!m_devicesAreEqual || cut.repeats != 1 || cut.parts.size() != 1 || cut.parts[0].size() != 1) return false;
  if (m_ofDevice) {
    const Cut& before = m_found[*m_ofDevice];
    if (before.out == cut.out && before.in == cut.in && before.both == cut.both) return true;
  }
  m_ofDevice = m_found.size();
  return false;
}

// A message from part to part is one that leaves and one that enters, and might be both on a single link.
std::optional<Cut> CutSurvey::cutOf(std::span<const Part> parts, const std::string& name, std::int64_t repeats) {
  const PartLinks links = m_cuts.linksOf(parts);
  Cut cut{name, {}, repeats, false, {}, {}, {}};
  if (links.out && !links.out->empty()) cut.out = borderOf(*links.out, repeats);
  if (links.in && !links.in->empty()) cut.in = borderOf(*links.in, repeats);
  const bool several = static_cast<std::int64_t>(parts.size()) * repeats > 1;
  // Where nothing is shared, both directions together never ask for longer than the slower one.
  if (links.out && links.in && m_cuts.sharesBandwidth()) {
    std::vector<LinkId> both;
    std::set_union(links.out->begin(), links.out->end(), links.in->begin(), links.in->end(), std::back_inserter(both));
    const bool apart = both.size() == links.out->size() + links.in->size();
    if (!both.empty() && (!several || apart)) cut.both = borderOf(both, repeats);
  }
  if (!cut.out && !cut.in) return std::nullopt;
  for (const Part& part : parts) cut.parts.push_back(devicesOf(part));
  if (several) {
    std::vector<Part> all(parts.begin(), parts.end());
    if (repeats > 1) all.push_back(m_rest);
    cut.reduces = m_cuts.haveReducingSwitchBetween(all);
  }
  return cut;
}

std::string CutSurvey::nameOf(const Part& part) const {
  std::vector<std::int32_t> devices = devicesOf(part);
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

CutSurvey::Demands::Demands(const CutSurvey& survey, const CutGroups& groups)
    : m_survey(survey), m_groups(groups), m_slot(static_cast<std::size_t>(groups.groups), -1) {}

void CutSurvey::Demands::addPart(const std::vector<std::int32_t>& part, std::int32_t shift) {
  m_touched.clear();
  for (const std::int32_t local : part) {
    const auto device = static_cast<std::size_t>(local + shift);
    const std::int32_t group = m_groups.groupOf[device];
    std::int32_t& at = m_slot[static_cast<std::size_t>(group)];
    if (at < 0) {
      at = static_cast<std::int32_t>(m_held.size());
      m_held.push_back({group, 0, 0, 0, false, {}});
    }
    Held& own = m_held[static_cast<std::size_t>(at)];
    if (own.inside++ == 0) m_touched.push_back(at);
    own.root = own.root || m_groups.isFirst[device];
  }
  for (const std::int32_t at : m_touched) {
    Held& own = m_held[static_cast<std::size_t>(at)];
    const CutDemand demand = p2::demandOf(m_survey.m_collective, m_groups.size, own.inside, own.root);
    own.members += own.inside;
    ++own.parts;
    own.apart = {own.apart.out + demand.out, own.apart.in + demand.in};
    own.inside = 0;
    own.root = false;
  }
}

CutDemand CutSurvey::Demands::of(const Cut& cut) {
  for (std::int64_t repeat = 0; repeat < cut.repeats; ++repeat) {
    const auto shift = static_cast<std::int32_t>(repeat * m_survey.m_node);
    for (const std::vector<std::int32_t>& part : cut.parts) addPart(part, shift);
  }
  CutDemand sum;
  for (const Held& own : m_held) {
    const bool whole = own.members == m_groups.size;
    const CutDemand each = whole ? crossingsOf(m_survey.m_collective, own.parts, cut.reduces) : own.apart;
    sum = {sum.out + each.out, sum.in + each.in};
    m_slot[static_cast<std::size_t>(own.group)] = -1;
  }
  m_held.clear();
  return sum;
}

CutGroups CutGroups::of(const SynthesisHierarchy& hierarchy, std::int64_t devices) {
  const auto layout = hierarchy.layoutOf({0, hierarchy.levelCount(), false});
  const auto count = static_cast<std::size_t>(devices);
  CutGroups grouped{std::vector<std::int32_t>(count, 0), std::vector<bool>(count, false),
                    static_cast<std::int64_t>(layout.offsets.size()), static_cast<std::int64_t>(layout.bases.size())};
  for (std::size_t group = 0; group < layout.bases.size(); ++group) {
    for (const std::int64_t offset : layout.offsets) {
      grouped.groupOf[static_cast<std::size_t>(layout.bases[group] + offset)] = static_cast<std::int32_t>(group);
    }
    grouped.isFirst[static_cast<std::size_t>(layout.bases[group] + layout.offsets.front())] = true;
  }
  return grouped;
}

void keepLonger(const Cut& cut, const CutDemand& demand, LeastTime& least) {
  if (demand.out + demand.in == 0) return;
  const auto keep = [&](const std::optional<CutBorder>& border, double bytes) {
    if (!border || !definitelyLess(least.seconds, bytes / border->bandwidth)) return;
    least = {bytes / border->bandwidth, cut.name + " to " + border->over};
  };
  keep(cut.out, demand.out);
  keep(cut.in, demand.in);
  keep(cut.both, demand.out + demand.in);
}

LeastTime CutSurvey::least(const SynthesisHierarchy& hierarchy) const {
  const CutGroups groups = CutGroups::of(hierarchy, m_topology.deviceCount());
  Demands demands(*this, groups);
  LeastTime least;
  for (const Cut& cut : m_found) keepLonger(cut, demands.of(cut), least);
  return least;
}

}  // namespace p2::inline cost
