// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/bounds/detail/link_cuts.h"

#include <algorithm>
#include <limits>

namespace p2::inline cost {
namespace {

DeviceRange devicesOf(const System& system, const Place& instance) {
  std::int64_t below = 1;
  for (std::size_t level = instance.index + 1; level < system.levels.size(); ++level)
    below *= system.levels[level].count;
  return {instance.instance * below, (instance.instance + 1) * below};
}

}  // namespace

LinkCuts::LinkCuts(const LinkGraph& graph, std::vector<DeviceRange> ranges)
    : m_graph(graph),
      m_ranges(std::move(ranges)),
      m_own(static_cast<std::size_t>(graph.vertexCount()), 0),
      m_counted(graph.links().size(), 0) {
  findHomes();
  findMembers();
  findReducing();
  ++m_lastSum;
  for (const LinkGraph::Link& link : graph.links()) {
    std::size_t& counted = m_counted[static_cast<std::size_t>(link.resource.value())];
    m_sharesBandwidth = m_sharesBandwidth || counted == m_lastSum;
    counted = m_lastSum;
  }
  m_hasCores = std::any_of(graph.links().begin(), graph.links().end(),
                           [](const LinkGraph::Link& link) { return link.role == LinkGraph::Role::Core; });
  for (Vertex vertex = 0; vertex < graph.vertexCount(); ++vertex) m_ordered.push_back(vertex);
  std::stable_sort(m_ordered.begin(), m_ordered.end(), [&](Vertex a, Vertex b) {
    return m_homes[static_cast<std::size_t>(a)].first < m_homes[static_cast<std::size_t>(b)].first;
  });
}

// Hubs stand where messages meet them. The ways out of and into an instance are met outside of it, but belong to it.
void LinkCuts::findHomes() {
  const auto own = [&](Vertex vertex) -> DeviceRange& { return m_homes[static_cast<std::size_t>(vertex)]; };
  for (Vertex vertex = 0; vertex < m_graph.vertexCount(); ++vertex) m_homes.push_back(m_graph.within(vertex));
  for (const LinkGraph::Link& link : m_graph.links()) {
    if (link.from.kind == Place::Kind::Level) own(link.tail) = devicesOf(m_graph.system(), link.from);
    if (link.to.kind == Place::Kind::Level) own(link.head) = devicesOf(m_graph.system(), link.to);
  }
  m_begins.assign(m_homes.size(), false);
  m_stops.assign(m_homes.size(), false);
  for (const Device device : IdRange<Device>(m_graph.system().deviceCount())) {
    m_begins[static_cast<std::size_t>(m_graph.wayOut(device))] = true;
    m_stops[static_cast<std::size_t>(m_graph.wayIn(device))] = true;
    own(m_graph.wayOut(device)) = own(m_graph.wayIn(device)) = {device.value(), device.value() + 1};
  }
}

bool LinkCuts::isUsable(const LinkGraph::Link& link) const {
  const auto next = std::upper_bound(m_ranges.begin(), m_ranges.end(), link.within.first,
                                     [](std::int64_t first, const DeviceRange& range) { return first < range.first; });
  return next != m_ranges.begin() && link.within.isWithin(*std::prev(next));
}

Part LinkCuts::instance(const DeviceRange& devices) const {
  Part part;
  auto at = std::lower_bound(m_ordered.begin(), m_ordered.end(), devices.first, [&](Vertex vertex, std::int64_t first) {
    return m_homes[static_cast<std::size_t>(vertex)].first < first;
  });
  for (; at != m_ordered.end() && m_homes[static_cast<std::size_t>(*at)].first < devices.last; ++at) {
    if (m_homes[static_cast<std::size_t>(*at)].isWithin(devices)) part.push_back(*at);
  }
  return part;
}

void LinkCuts::findMembers() {
  for (const LinkGraph::Link& link : m_graph.links()) {
    if (link.owner.kind != Place::Kind::Network) continue;
    m_members[link.owner].insert({link.from, link.tail});
    m_members[link.owner].insert({link.to, link.head});
  }
}

void LinkCuts::findReducing() {
  const System& system = m_graph.system();
  std::set<Vertex> hubs;
  for (const LinkGraph::Link& link : m_graph.links()) {
    const bool isNetwork = link.owner.kind == Place::Kind::Network;
    const Interconnect& own =
        isNetwork ? system.networks[link.owner.index].interconnect : system.levels[link.owner.index].interconnect;
    if (own.kind != InterconnectKind::Switch || !own.reduces || !isUsable(link)) continue;
    hubs.insert(link.role == LinkGraph::Role::Up ? link.head : link.tail);
  }
  m_reducing.assign(hubs.begin(), hubs.end());
}

void LinkCuts::gather(const Place& network, std::set<Place>& known, std::set<Vertex>& part) const {
  const auto members = m_members.find(network);
  if (members == m_members.end()) return;
  for (const LinkEnd& end : members->second) {
    if (end.place.kind != Place::Kind::Level) part.insert(end.vertex);
    if (!known.insert(end.place).second) continue;
    if (end.place.kind == Place::Kind::Level) {
      const Part inside = instance(devicesOf(m_graph.system(), end.place));
      part.insert(inside.begin(), inside.end());
    } else {
      gather(end.place, known, part);
    }
  }
}

std::vector<Part> LinkCuts::instancesOf(std::size_t network) const {
  return instancesOf(network, std::numeric_limits<std::int64_t>::max());
}

std::vector<Part> LinkCuts::instancesOf(std::size_t network, std::int64_t first) const {
  std::vector<Part> parts;
  for (auto at = m_members.lower_bound({Place::Kind::Network, network, 0}); at != m_members.end(); ++at) {
    const Place& place = at->first;
    if (place.index != network || place.instance >= first) break;
    std::set<Place> known{place};
    std::set<Vertex> part;
    gather(place, known, part);
    parts.emplace_back(part.begin(), part.end());
  }
  return parts;
}

PartLinks LinkCuts::linksOf(std::span<const Part> parts) { return {borderOf(parts, true), borderOf(parts, false)}; }

bool LinkCuts::haveReducingSwitchBetween(std::span<const Part> parts) {
  if (m_reducing.empty()) return false;
  ++m_lastPart;
  for (const Part& part : parts) {
    for (const Vertex vertex : part) m_own[static_cast<std::size_t>(vertex)] = m_lastPart;
  }
  return std::any_of(m_reducing.begin(), m_reducing.end(),
                     [&](Vertex hub) { return m_own[static_cast<std::size_t>(hub)] != m_lastPart; });
}

double LinkCuts::bandwidthOf(const std::vector<LinkId>& links) {
  ++m_lastSum;
  double sum = 0;
  for (const LinkId id : links) {
    const LinkGraph::Link& link = m_graph.link(id);
    std::size_t& counted = m_counted[static_cast<std::size_t>(link.resource.value())];
    if (counted != m_lastSum) sum += link.bandwidth;
    counted = m_lastSum;
  }
  return sum;
}

std::optional<std::vector<LinkId>> LinkCuts::borderOf(std::span<const Part> parts, bool outwards) {
  std::vector<LinkId> border;
  for (const Part& part : parts) {
    if (!addBorder(part, outwards, border)) return {};
  }
  std::sort(border.begin(), border.end());
  border.erase(std::unique(border.begin(), border.end()), border.end());
  return narrowed(std::move(border), outwards);
}

// A message at one vertex is at all that are joined to it, so the border is behind them, unless it is there already.
bool LinkCuts::addBorder(const Part& part, bool outwards, std::vector<LinkId>& border) {
  ++m_lastPart;
  const auto seen = [&](Vertex vertex) -> std::size_t& { return m_own[static_cast<std::size_t>(vertex)]; };
  const std::vector<bool>& ends = outwards ? m_stops : m_begins;
  Part reached = part;
  for (const Vertex vertex : part) seen(vertex) = m_lastPart;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Vertex other : outwards ? m_graph.joinedTo(reached[i]) : m_graph.joinedFrom(reached[i])) {
      if (seen(other) == m_lastPart) continue;
      if (ends[static_cast<std::size_t>(other)]) return false;
      seen(other) = m_lastPart;
      reached.push_back(other);
    }
  }
  for (const Vertex vertex : reached) {
    for (const std::int32_t id : outwards ? m_graph.leaving(vertex) : m_graph.entering(vertex)) {
      const LinkGraph::Link& link = m_graph.link(LinkId(id));
      if (seen(outwards ? link.head : link.tail) != m_lastPart && isUsable(link)) border.emplace_back(id);
    }
  }
  return true;
}

/// The link that everything passes which has come over this one, or that comes to it; none if there are others.
LinkId LinkCuts::coreBehind(LinkId link, bool outwards) const {
  const Vertex hub = outwards ? m_graph.link(link).head : m_graph.link(link).tail;
  const auto next = outwards ? m_graph.leaving(hub) : m_graph.entering(hub);
  const auto joined = outwards ? m_graph.joinedTo(hub) : m_graph.joinedFrom(hub);
  if (next.size() != 1 || !joined.empty()) return {};
  const LinkId core(next[0]);
  return m_graph.link(core).role == LinkGraph::Role::Core ? core : LinkId();
}

std::vector<LinkId> LinkCuts::narrowed(std::vector<LinkId> links, bool outwards) {
  if (!m_hasCores) return links;
  std::map<LinkId, std::vector<LinkId>> byCore;
  for (const LinkId link : links) byCore[coreBehind(link, outwards)].push_back(link);
  std::vector<LinkId> result;
  for (const auto& [core, ports] : byCore) {
    if (!core.isNone() && m_graph.link(core).bandwidth <= bandwidthOf(ports)) {
      result.push_back(core);
    } else {
      result.insert(result.end(), ports.begin(), ports.end());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace p2::inline cost
