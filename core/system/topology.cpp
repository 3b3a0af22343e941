// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/topology.h"

#include <cassert>
#include <mutex>
#include <unordered_map>

#include "system/detail/route_search.h"
#include "system/torus_routes.h"
#include "system/unit_routes.h"

namespace p2::inline system {

/// The routes of a link graph, each searched for once, over a torus in closed form. May be asked from several threads.
class RouteTable {
 public:
  explicit RouteTable(std::shared_ptr<const LinkGraph> graph)
      : m_graph(std::move(graph)), m_search(*m_graph), m_torus(TorusRoutes::of(*m_graph)) {
    const System& system = m_graph->system();
    for (std::size_t level = nodeDepth(system); level < system.levels.size(); ++level) {
      m_nodeDevices *= system.levels[level].count;
    }
  }

  [[nodiscard]] const LinkGraph& graph() const { return *m_graph; }
  [[nodiscard]] const TorusRoutes* torus() const { return m_torus.get(); }
  /// Appends the links from one device to another, as RouteSearch::route().
  void append(Device from, Device to, std::vector<LinkId>& links);
  /// The geometry of routes that repeat; null where they do not.
  [[nodiscard]] const UnitRoutes* units();
  /// UnitRoutes::hops(); null without units.
  [[nodiscard]] const UnitRoutes::Hops* hops(Device from, Device to);

 private:
  struct Known {
    std::size_t begin;
    std::size_t count;
  };
  [[nodiscard]] UnitRoutes* knownUnits();
  [[nodiscard]] std::vector<LinkId> search(Device from, Device to);

  static constexpr std::size_t kMostKnown = std::size_t{1} << 21;

  std::shared_ptr<const LinkGraph> m_graph;
  std::mutex m_mutex;
  RouteSearch m_search;
  std::unique_ptr<TorusRoutes> m_torus;  // null where it is none
  std::int64_t m_nodeDevices = 1;
  std::unique_ptr<UnitRoutes> m_units;
  bool m_triedUnits = false;
  std::unordered_map<std::int64_t, Known> m_known;  // by both devices
  std::vector<LinkId> m_links;
};

UnitRoutes* RouteTable::knownUnits() {
  if (!m_triedUnits) m_units = UnitRoutes::of(*m_graph);
  m_triedUnits = true;
  return m_units.get();
}

const UnitRoutes* RouteTable::units() {
  const std::lock_guard lock(m_mutex);
  return knownUnits();
}

const UnitRoutes::Hops* RouteTable::hops(Device from, Device to) {
  const std::lock_guard lock(m_mutex);
  UnitRoutes* units = knownUnits();
  return units == nullptr ? nullptr : units->hops(from, to, [this](Device a, Device b) { return search(a, b); });
}

/// By way of relays where the device itself has no way out of its node, or in.
std::vector<LinkId> RouteTable::search(Device from, Device to) {
  const bool relays = !m_graph->relaysOut().empty() || !m_graph->relaysIn().empty();
  if (!relays || from.value() / m_nodeDevices == to.value() / m_nodeDevices) return m_search.route(from, to);
  const Device out = m_graph->relayOut(from);
  const Device in = m_graph->relayIn(to);
  std::vector<LinkId> links = m_search.route(from, out);
  for (const auto& [a, b] : {std::pair(out, in), std::pair(in, to)}) {
    const std::vector<LinkId> part = m_search.route(a, b);
    links.insert(links.end(), part.begin(), part.end());
  }
  return links;
}

void RouteTable::append(Device from, Device to, std::vector<LinkId>& links) {
  if (m_torus) {
    const std::vector<LinkId> found = m_torus->route(from, to);
    links.insert(links.end(), found.begin(), found.end());
    return;
  }
  const std::int64_t key = from.value() * kMostDevices + to.value();
  const std::lock_guard lock(m_mutex);
  if (UnitRoutes* units = knownUnits()) {
    const auto* hops = units->hops(from, to, [this](Device a, Device b) { return search(a, b); });
    const std::int64_t source = from.value() / units->unitDevices();
    const std::int64_t target = to.value() / units->unitDevices();
    if (hops != nullptr) {
      for (const UnitRoutes::Hop& hop : *hops) links.push_back(units->link(hop, source, target));
      return;
    }
  }
  auto known = m_known.find(key);
  if (known == m_known.end()) {
    const std::vector<LinkId> found = search(from, to);
    if (m_links.size() + found.size() > kMostKnown) {
      m_known.clear();
      m_links.clear();
    }
    known = m_known.emplace(key, Known{m_links.size(), found.size()}).first;
    m_links.insert(m_links.end(), found.begin(), found.end());
  }
  const auto begin = m_links.begin() + static_cast<std::ptrdiff_t>(known->second.begin);
  links.insert(links.end(), begin, begin + static_cast<std::ptrdiff_t>(known->second.count));
}

bool leadsForward(std::int64_t from, std::int64_t to, std::int64_t count) {
  return 2 * ((to - from + count) % count) <= count;
}

Topology::Topology(const ValidSystem& system) : Topology(system, system.linkGraph()) {}

Topology Topology::listed(const ValidSystem& system) {
  if (system.linkGraph() != nullptr) return Topology(system);
  auto graph = LinkGraph::build(std::make_shared<const System>(*system));
  assert(graph.ok());
  return {system, std::move(graph).value()};
}

Topology::Topology(ValidSystem system, std::shared_ptr<const LinkGraph> graph)
    : m_system(std::move(system)), m_deviceCount(m_system->deviceCount()) {
  std::int64_t below = m_deviceCount;
  std::int64_t instances = 1;
  for (const Level& level : m_system->levels) {
    below /= level.count;
    instances *= level.count;
    const Interconnect& link = level.interconnect;
    const double crossing = latencyOf(link, m_system->calibrated);
    const double latency = link.kind == InterconnectKind::Ring ? crossing : crossing / 2;
    m_levels.push_back({level.name, link.kind, bandwidthOf(link, m_system->calibrated), latency, level.count, below,
                        LinkId(m_linkCount)});
    m_linkCount += 2 * instances;
  }
  if (graph == nullptr) return;
  m_linkCount = static_cast<std::int64_t>(graph->links().size());
  m_table = std::make_shared<RouteTable>(std::move(graph));
}

const LinkGraph* Topology::linkGraph() const { return isUniform() ? nullptr : &m_table->graph(); }

std::size_t Topology::levelOf(LinkId link) const {
  std::size_t level = m_levels.size() - 1;
  while (level > 0 && m_levels[level].first > link) --level;
  return level;
}

LinkGraph::Link Topology::uniformLink(LinkId link) const {
  using Role = LinkGraph::Role;
  const std::size_t level = levelOf(link);
  const LevelLinks& own = m_levels[level];
  const std::int64_t offset = link.value() - own.first.value();
  const bool second = offset % 2 != 0;
  const std::int64_t instance = offset / 2;
  const std::int64_t parent = instance / own.count;
  LinkGraph::Link result;
  result.from = {Place::Kind::Level, level, instance};
  result.owner = {Place::Kind::Interconnect, level, parent};
  if (own.kind == InterconnectKind::Ring) {
    result.role = second ? Role::Previous : Role::Next;
    const std::int64_t neighbour = (instance % own.count + (second ? own.count - 1 : 1)) % own.count;
    result.to = {Place::Kind::Level, level, parent * own.count + neighbour};
  } else {
    result.role = second ? Role::Down : Role::Up;
    result.to = result.owner;
    if (second) std::swap(result.from, result.to);
  }
  return result;
}

double Topology::bandwidth(LinkId link) const {
  return isUniform() ? m_levels[levelOf(link)].bandwidth : m_table->graph().link(link).bandwidth;
}

double Topology::latency(LinkId link) const {
  return isUniform() ? m_levels[levelOf(link)].latency : m_table->graph().link(link).latency;
}

LinkId Topology::resource(LinkId link) const { return isUniform() ? link : m_table->graph().link(link).resource; }

std::string Topology::linkName(LinkId link) const {
  return p2::linkName(*m_system, isUniform() ? uniformLink(link) : m_table->graph().link(link));
}

Topology::LinkEnds Topology::ends(LinkId link) const {
  const LinkGraph::Link found = isUniform() ? uniformLink(link) : m_table->graph().link(link);
  return {found.from, found.to};
}

Place Topology::owner(LinkId link) const {
  return isUniform() ? uniformLink(link).owner : m_table->graph().link(link).owner;
}

std::size_t Topology::interconnectOf(LinkId link) const {
  if (isUniform()) return levelOf(link);
  const Place& owner = m_table->graph().link(link).owner;
  return owner.kind == Place::Kind::Network ? m_levels.size() + owner.index : owner.index;
}

void Topology::ringRoute(std::size_t level, std::int64_t from, std::int64_t to, std::vector<LinkId>& links) const {
  const LevelLinks& ring = m_levels[level];
  const std::int64_t base = from / ring.count * ring.count;
  std::int64_t at = from - base;
  const std::int64_t goal = to - base;
  const bool forward = leadsForward(at, goal, ring.count);
  while (at != goal) {
    links.push_back(ring.link(base + at, !forward));
    at = (at + (forward ? 1 : ring.count - 1)) % ring.count;
  }
}

void Topology::uniformRoute(Device from, Device to, std::vector<LinkId>& links) const {
  std::size_t parting = 0;
  while (m_levels[parting].instanceOf(from) == m_levels[parting].instanceOf(to)) ++parting;
  for (std::size_t level = m_levels.size(); level-- > parting + 1;) {
    if (!m_levels[level].hasPorts()) continue;
    links.push_back(m_levels[level].link(m_levels[level].instanceOf(from), false));
  }
  const LevelLinks& meeting = m_levels[parting];
  const std::int64_t source = meeting.instanceOf(from);
  const std::int64_t target = meeting.instanceOf(to);
  if (meeting.kind == InterconnectKind::Ring) {
    ringRoute(parting, source, target, links);
  } else {
    links.push_back(meeting.link(source, false));
    links.push_back(meeting.link(target, true));
  }
  for (std::size_t level = parting + 1; level < m_levels.size(); ++level) {
    if (!m_levels[level].hasPorts()) continue;
    links.push_back(m_levels[level].link(m_levels[level].instanceOf(to), true));
  }
}

void Topology::route(Device from, Device to, std::vector<LinkId>& links) const {
  if (from == to) return;
  if (isUniform()) {
    uniformRoute(from, to, links);
  } else {
    m_table->append(from, to, links);
  }
}

const TorusRoutes* Topology::torus() const { return isUniform() ? nullptr : m_table->torus(); }

const UnitRoutes* Topology::units() const { return isUniform() ? nullptr : m_table->units(); }

const UnitRoutes::Hops* Topology::hops(Device from, Device to) const {
  return isUniform() ? nullptr : m_table->hops(from, to);
}

double Topology::routeLatency(Device from, Device to) const {
  if (from == to) return 0;
  if (const TorusRoutes* rings = torus()) return rings->routeLatency(from, to);
  std::vector<LinkId> links;
  route(from, to, links);
  double sum = 0;
  for (const LinkId link : links) sum += latency(link);
  return sum;
}

}  // namespace p2::inline system
