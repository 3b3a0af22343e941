// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "system/link_graph.h"

namespace p2::inline cost {

/// Some vertices of a link graph.
using Part = std::vector<LinkGraph::Vertex>;

/// Links that every message crosses that leaves or enters one of some parts; ascending, each once. None if a part
/// shares its way out or in with devices outside of it.
struct PartLinks {
  std::optional<std::vector<LinkId>> out;
  std::optional<std::vector<LinkId>> in;
};

/// Parts of a link graph, and the links that lead out of them and into them.
class LinkCuts {
 public:
  /// Only links and vertices that messages within one of these ranges can meet count. The graph must outlive it.
  LinkCuts(const LinkGraph& graph, std::vector<DeviceRange> ranges);

  [[nodiscard]] const LinkGraph& graph() const { return m_graph; }
  /// Whether any links share a bandwidth.
  [[nodiscard]] bool sharesBandwidth() const { return m_sharesBandwidth; }
  /// Whether a message of the groups can take the link.
  [[nodiscard]] bool isUsable(const LinkGraph::Link& link) const;

  /// All parts inside an instance of a level that holds those devices. O(their number).
  [[nodiscard]] Part instance(const DeviceRange& devices) const;
  /// The instances of a network, each with its members, the members of these where they are networks, and so on.
  [[nodiscard]] std::vector<Part> instancesOf(std::size_t network) const;
  /// The first of them only.
  [[nodiscard]] std::vector<Part> instancesOf(std::size_t network, std::int64_t first) const;

  /// The links of parts that share no vertex. If the links to a bus, or to the core of a switch, are wider than it, the
  /// bus or core itself. O(vertices of the parts + their links).
  [[nodiscard]] PartLinks linksOf(std::span<const Part> parts);
  /// Whether messages between the parts can meet a switch that adds them up (Interconnect::reduces): one that stands in
  /// none of them. O(vertices of the parts + such switches).
  [[nodiscard]] bool haveReducingSwitchBetween(std::span<const Part> parts);
  /// Bytes/s of links together, counting once what shares a bandwidth.
  [[nodiscard]] double bandwidthOf(const std::vector<LinkId>& links);

 private:
  using Vertex = LinkGraph::Vertex;

  /// The owner of one end of a network's link, and the vertex there.
  struct LinkEnd {
    Place place;
    Vertex vertex;
    friend auto operator<=>(const LinkEnd&, const LinkEnd&) = default;
  };

  void findHomes();
  void findMembers();
  void findReducing();
  void gather(const Place& network, std::set<Place>& known, std::set<Vertex>& part) const;
  [[nodiscard]] std::optional<std::vector<LinkId>> borderOf(std::span<const Part> parts, bool outwards);
  bool addBorder(const Part& part, bool outwards, std::vector<LinkId>& border);
  [[nodiscard]] std::vector<LinkId> narrowed(std::vector<LinkId> links, bool outwards);
  [[nodiscard]] LinkId coreBehind(LinkId link, bool outwards) const;

  const LinkGraph& m_graph;
  std::vector<DeviceRange> m_ranges;
  std::vector<bool> m_begins;                    // by vertex: whether it is a device's way out …
  std::vector<bool> m_stops;                     // … or in
  std::vector<DeviceRange> m_homes;              // by vertex: the devices of the innermost instance it belongs to
  std::vector<Vertex> m_ordered;                 // by the first device of their homes
  std::map<Place, std::set<LinkEnd>> m_members;  // by instance of a network
  std::vector<Vertex> m_reducing;                // the hubs of switches that add up
  bool m_sharesBandwidth = false;                // whether a resource belongs to several links
  bool m_hasCores = false;                       // whether any switch or bus has a bandwidth of its own
  std::vector<std::size_t> m_own;                // by vertex: the number of the part it was last seen in
  std::size_t m_lastPart = 0;
  std::vector<std::size_t> m_counted;  // by resource: the number of the sum it was last counted in
  std::size_t m_lastSum = 0;
};

}  // namespace p2::inline cost
