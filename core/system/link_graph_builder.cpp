// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "system/detail/connections.h"
#include "system/detail/graph_vertices.h"
#include "system/detail/link_shares.h"
#include "system/detail/relays.h"
#include "system/interconnects.h"

namespace p2::inline system {
namespace {

/// Largest number of links of a system: a mesh of 1024 devices, 8192 nodes whose 8 devices are a mesh and have a NIC
/// each. Drawings name no more than kMostLinks of them.
constexpr std::size_t kMostListedLinks = 2 * kMostLinks;

}  // namespace

/// Adds the links interconnect by interconnect: first the levels', then the networks.
class LinkGraphBuilder {
 public:
  explicit LinkGraphBuilder(std::shared_ptr<const System> system)
      : m_graph(std::make_shared<LinkGraph>()),
        m_system(*system),
        m_shape(*system),
        m_disabled(*system),
        m_shares(*system) {
    m_graph->m_system = std::move(system);
  }

  Result<std::shared_ptr<const LinkGraph>> build() {
    P2_TRY(checkNumberOfLinks());
    m_instances.emplace(m_system, m_shape, m_disabled);
    m_listed.reserve(static_cast<std::size_t>(linkBound()));
    for (std::size_t level = 0; level < m_system.levels.size(); ++level) linkLevel(level);
    for (std::size_t network = 0; network < m_system.networks.size(); ++network) linkNetwork(network);
    P2_TRY(checkDisabled());
    m_instances->joinEnclosures();
    finish();
    P2_TRY(checkLinkStates());
    if (m_graph->m_links.size() < m_listed.size()) {
      Relays relays = relaysOf(*m_graph);
      m_graph->m_relaysOut = std::move(relays.out);
      m_graph->m_relaysIn = std::move(relays.in);
    }
    P2_TRY(checkConnections());
    return std::shared_ptr<const LinkGraph>(m_graph);
  }

 private:
  using Link = LinkGraph::Link;
  using Role = LinkGraph::Role;
  using Instance = GraphVertices::Instance;
  using Vertex = LinkGraph::Vertex;

  struct Listed {
    Link link;
    bool works = true;
  };

  static double linksAmong(const Interconnect& link, std::int64_t members) {
    const auto count = static_cast<double>(members);
    return link.kind == InterconnectKind::Mesh ? count * (count - 1) : 2 * count + 1;
  }

  /// Upper bound of the links in all instances of an interconnect.
  [[nodiscard]] double linkBound(const PlacedInterconnect<const Interconnect>& placed) const {
    const std::size_t index = placed.place.index;
    if (placed.place.kind == Place::Kind::Interconnect) {
      return static_cast<double>(m_shape.enclosureCount(index)) * linksAmong(placed.link, m_system.levels[index].count);
    }
    const Network& network = m_system.networks[index];
    std::int64_t members = 0;
    for (const Member& member : network.members) members += m_shape.count(index, member) / network.instances;
    return static_cast<double>(m_shape.instancesOf(index)) * linksAmong(placed.link, members);
  }

  [[nodiscard]] double linkBound() const {
    double links = 0;
    for (const auto& placed : interconnects(m_system)) links += linkBound(placed);
    return links;
  }

  [[nodiscard]] Result<void> checkNumberOfLinks() const {
    double most = 0;
    std::string part;
    for (const auto& placed : interconnects(m_system)) {
      const double bound = linkBound(placed);
      if (bound > most) part = placed.ownerPart() + "/interconnect";
      most = std::max(most, bound);
    }
    if (linkBound() <= static_cast<double>(kMostListedLinks)) return {};
    return Error{"the system has more than " + std::to_string(kMostListedLinks) +
                 " links; use a switch in place of a large mesh"}
        .about(part);
  }

  [[nodiscard]] Result<void> checkDisabled() const {
    if (m_disabled.unknown().empty()) return {};
    const std::string& name = *m_disabled.unknown().begin();
    const auto at = std::find(m_system.disabled.begin(), m_system.disabled.end(), name) - m_system.disabled.begin();
    return Error{"\"" + name + "\" is listed as out of order, but nothing has that name; name an instance or a link, " +
                 "as in " + placeName(m_system, {Place::Kind::Level, 0, 0})}
        .about("/disabled/" + std::to_string(at));
  }

  [[nodiscard]] Result<void> checkLinkStates() const {
    const int at = m_shares.unknown();
    if (at < 0) return {};
    const std::string& name = m_system.states[static_cast<std::size_t>(at)].part;
    return Error{"\"" + name + "\" has a state, but no link has that name; name a link as listings do, as in " +
                 (m_graph->m_links.empty() ? std::string("node 0 ↑") : linkName(m_system, m_graph->m_links.front()))}
        .about("/states/" + std::to_string(at) + "/part");
  }

  [[nodiscard]] Result<void> checkConnections() const {
    const auto pair = unconnectedPair(*m_graph);
    if (!pair) return {};
    const std::size_t level = m_system.levels.size() - 1;
    const std::int64_t from = pair->first.value();
    const std::int64_t to = pair->second.value();
    return Error{"devices " + std::to_string(from) + " and " + std::to_string(to) +
                 " are not connected: no links lead from " + placeName(m_system, {Place::Kind::Level, level, from}) +
                 " to " + placeName(m_system, {Place::Kind::Level, level, to})}
        .about("/levels/" + std::to_string(level));
  }

  void linkLevel(std::size_t level) {
    if (!isJoined(m_system.levels[level])) return;
    const std::int64_t count = m_system.levels[level].count;
    for (std::int64_t enclosure = 0; enclosure < m_shape.enclosureCount(level); ++enclosure) {
      std::vector<std::size_t> members;
      for (std::int64_t i = 0; i < count; ++i) {
        members.push_back(m_instances->indexOf({Place::Kind::Level, level, enclosure * count + i}));
      }
      linkMembers(m_system.levels[level].interconnect,
                  m_instances->indexOf({Place::Kind::Interconnect, level, enclosure}), members);
    }
  }

  void linkNetwork(std::size_t network) {
    const Interconnect& link = m_system.networks[network].interconnect;
    for (std::int64_t i = 0; i < m_shape.instancesOf(network); ++i) {
      const std::size_t own = m_instances->indexOf({Place::Kind::Network, network, i});
      std::vector<std::size_t> members;
      for (const Place& member : m_shape.membersOf(network, i)) {
        members.push_back(m_instances->indexOf(member));
      }
      linkMembers(link, own, members);
      if (hasHub(link)) continue;
      for (const std::size_t member : members) m_instances->joinInto(m_instances->at(own), m_instances->at(member));
    }
  }

  void linkMembers(const Interconnect& link, std::size_t owner, const std::vector<std::size_t>& members) {
    if (hasHub(link)) {
      addCore(link, owner);
      const std::size_t first = m_listed.size();
      for (const std::size_t member : members) addPorts(link, owner, member);
      if (link.shared) share(link, first);
    } else if (link.kind == InterconnectKind::Ring) {
      addRing(link, owner, members);
    } else {
      m_pairs.clear();
      for (std::size_t a = 0; a < members.size(); ++a) {
        for (std::size_t b = 0; b < members.size(); ++b) {
          if (a != b) addCable(link, owner, members[a], members[b], Role::Pair);
        }
      }
    }
  }

  void addCore(const Interconnect& link, std::size_t owner) {
    const Instance& hub = m_instances->at(owner);
    if (hub.in == hub.out) return;
    const bool bus = link.kind == InterconnectKind::Bus;
    add(link, owner, hub.place, hub.place, Role::Core, hub.in, hub.out);
    m_listed.back().link.bandwidth = bus ? bandwidthOf(link, m_system.calibrated) : link.core;
    if (!bus) m_listed.back().link.latency = 0;
  }

  // A bus takes its time once, in the middle; a switch in equal halves, at both ports.
  void addPorts(const Interconnect& link, std::size_t owner, std::size_t member) {
    const Instance& hub = m_instances->at(owner);
    const Instance& own = m_instances->at(member);
    const double latency = link.kind == InterconnectKind::Bus ? 0 : latencyOf(link, m_system.calibrated) / 2;
    add(link, owner, own.place, hub.place, Role::Up, own.out, hub.in);
    m_listed.back().link.latency = latency;
    add(link, owner, hub.place, own.place, Role::Down, hub.out, own.in);
    m_listed.back().link.latency = latency;
    if (link.halfDuplex) m_listed.back().link.resource = m_listed[m_listed.size() - 2].link.resource;
  }

  /// All ports from the first on have one bandwidth, those up and those down apart unless they share it as well.
  void share(const Interconnect& link, std::size_t first) {
    for (std::size_t i = first + 2; i < m_listed.size(); ++i) {
      const std::size_t same = link.halfDuplex ? first : first + (i - first) % 2;
      m_listed[i].link.resource = m_listed[same].link.resource;
    }
  }

  void addRing(const Interconnect& link, std::size_t owner, const std::vector<std::size_t>& members) {
    const std::size_t count = members.size();
    if (count < 2) return;
    const std::size_t first = m_listed.size();
    for (std::size_t i = 0; i < count; ++i) {
      addCable(link, owner, members[i], members[(i + 1) % count], Role::Next);
      addCable(link, owner, members[i], members[(i + count - 1) % count], Role::Previous);
    }
    for (std::size_t i = 0; link.halfDuplex && i < count; ++i) {
      m_listed[first + 2 * ((i + 1) % count) + 1].link.resource = m_listed[first + 2 * i].link.resource;
    }
  }

  void addCable(const Interconnect& link, std::size_t owner, std::size_t from, std::size_t to, Role role) {
    if (link.forwards) {
      m_instances->openRelay(from, m_instances->at(owner).within);
      m_instances->openRelay(to, m_instances->at(owner).within);
    }
    const Instance& tail = m_instances->at(from);
    const Instance& head = m_instances->at(to);
    add(link, owner, tail.place, head.place, role, link.forwards ? tail.relayOut : tail.out,
        link.forwards ? head.relayIn : head.in);
    if (role != Role::Pair || !link.halfDuplex) return;
    const auto [known, added] = m_pairs.try_emplace(std::minmax(from, to), m_listed.back().link.resource);
    m_listed.back().link.resource = known->second;
  }

  /// Figures as the interconnect has them, a resource of its own.
  void add(const Interconnect& link, std::size_t owner, const Place& from, const Place& to, Role role, Vertex tail,
           Vertex head) {
    const Instance& own = m_instances->at(owner);
    Listed listed{
        {tail, head, LinkId(static_cast<std::int64_t>(m_listed.size())), bandwidthOf(link, m_system.calibrated),
         latencyOf(link, m_system.calibrated), role, from, to, own.place, own.within},
        own.works && m_instances->at(from).works && m_instances->at(to).works};
    if (!m_disabled.empty() && m_disabled.disables(linkName(m_system, listed.link))) listed.works = false;
    m_listed.push_back(listed);
  }

  /// Numbers the links that work, and lists them by their ends.
  void finish() {
    std::vector<LinkId> lowest(m_listed.size());
    m_graph->m_links.reserve(m_listed.size());
    for (const Listed& each : m_listed) {
      Link link = each.link;
      const double share = m_shares.empty() ? 1 : m_shares.of(link);
      if (!each.works || share == 0) continue;
      link.bandwidth *= share;
      LinkId& resource = lowest[link.resource.index()];
      if (resource.isNone()) resource = LinkId(static_cast<std::int64_t>(m_graph->m_links.size()));
      link.resource = resource;
      if (resource.value() < static_cast<std::int64_t>(m_graph->m_links.size())) m_graph->m_sharesBandwidth = true;
      m_graph->m_links.push_back(link);
    }
    m_graph->m_ranges = m_instances->ranges();
    for (std::int64_t device = 0; device < m_system.deviceCount(); ++device) {
      const Instance& own = m_instances->at({Place::Kind::Level, m_system.levels.size() - 1, device});
      m_graph->m_wayOut.push_back(own.out);
      m_graph->m_wayIn.push_back(own.in);
    }
    std::vector<std::pair<Vertex, Vertex>> leaving;
    std::vector<std::pair<Vertex, Vertex>> entering;
    leaving.reserve(m_graph->m_links.size());
    entering.reserve(m_graph->m_links.size());
    for (std::size_t i = 0; i < m_graph->m_links.size(); ++i) {
      leaving.emplace_back(m_graph->m_links[i].tail, static_cast<std::int32_t>(i));
      entering.emplace_back(m_graph->m_links[i].head, static_cast<std::int32_t>(i));
    }
    m_graph->m_leaving = listsOf(leaving);
    m_graph->m_entering = listsOf(entering);
    std::vector<std::pair<Vertex, Vertex>> joins = m_instances->joins();
    m_graph->m_joinedTo = listsOf(joins);
    for (auto& [from, to] : joins) std::swap(from, to);
    m_graph->m_joinedFrom = listsOf(joins);
  }

  /// (vertex, item) pairs as one list per vertex, each in the order given.
  [[nodiscard]] LinkGraph::Lists listsOf(const std::vector<std::pair<Vertex, std::int32_t>>& pairs) const {
    LinkGraph::Lists lists;
    lists.begins.assign(m_graph->m_ranges.size() + 1, 0);
    for (const auto& [vertex, item] : pairs) ++lists.begins[static_cast<std::size_t>(vertex) + 1];
    std::partial_sum(lists.begins.begin(), lists.begins.end(), lists.begins.begin());
    lists.items.resize(pairs.size());
    std::vector<std::size_t> next = lists.begins;
    for (const auto& [vertex, item] : pairs) lists.items[next[static_cast<std::size_t>(vertex)]++] = item;
    return lists;
  }

  std::shared_ptr<LinkGraph> m_graph;
  const System& m_system;
  SystemShape m_shape;
  DisabledNames m_disabled;
  LinkShares m_shares;
  std::optional<GraphVertices> m_instances;
  std::vector<Listed> m_listed;                                   // all links, those out of order too
  std::map<std::pair<std::size_t, std::size_t>, LinkId> m_pairs;  // in the current mesh: pairs that share a cable
};

Result<std::shared_ptr<const LinkGraph>> LinkGraph::build(std::shared_ptr<const System> system) {
  return LinkGraphBuilder(std::move(system)).build();
}

}  // namespace p2::inline system
