// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system.
#pragma once

#include <array>
#include <set>

#include "system/detail/system_shape.h"
#include "system/link_graph.h"

namespace p2::inline system {

/// The names listed as out of order, and which of them something bears.
class DisabledNames {
 public:
  explicit DisabledNames(const System& system);
  [[nodiscard]] bool empty() const { return m_names.empty(); }
  /// Whether it is listed; remembers that something bears it.
  bool disables(const std::string& name);
  /// The listed names that nothing has borne so far.
  [[nodiscard]] const std::set<std::string>& unknown() const { return m_unknown; }

 private:
  std::set<std::string> m_names;
  std::set<std::string> m_unknown;
};

/// The vertices of a link graph. Every instance of a level, of a network, and of the interconnect of a level has some
/// of its own, and some vertices are joined: a message at the first is at the second as well.
class GraphVertices {
 public:
  using Vertex = LinkGraph::Vertex;

  struct Instance {
    Place place;
    DeviceRange within;  ///< devices of the enclosure it stands in
    bool works = true;
    Vertex out = -1;  ///< for a hub: the vertex after crossing it
    Vertex in = -1;
    Vertex relayOut = -1;  ///< where messages enter its forwarding rings and meshes …
    Vertex relayIn = -1;   ///< … and where they come from them, to go on or to stay
  };

  /// All must outlive it. O(instances).
  GraphVertices(const System& system, const SystemShape& shape, DisabledNames& disabled);

  [[nodiscard]] std::size_t indexOf(const Place& place) const;
  [[nodiscard]] const Instance& at(std::size_t index) const { return m_instances[index]; }
  [[nodiscard]] const Instance& at(const Place& place) const { return m_instances[indexOf(place)]; }

  /// Makes an instance pass on the messages of a forwarding ring or mesh that stands among those devices.
  void openRelay(std::size_t index, const DeviceRange& range);
  /// Lets one talk to the outside of `outer` through `inner`.
  void joinInto(const Instance& outer, const Instance& inner);
  /// Joins every enclosure to what leads out of it: its gateways, else the interconnect of its children, else each
  /// child.
  void joinEnclosures();

  /// By vertex: the devices among which a message can meet it.
  [[nodiscard]] const std::vector<DeviceRange>& ranges() const { return m_ranges; }
  /// A message at the first of a pair is at the second as well.
  [[nodiscard]] const std::vector<std::pair<Vertex, Vertex>>& joins() const { return m_joins; }

 private:
  Vertex addVertex(const DeviceRange& range);
  Instance& addInstance(const Place& place, std::size_t depth, std::int64_t enclosure);
  void addHub(Instance& hub, const Interconnect& link);
  bool joinGateways(std::size_t depth, std::int64_t enclosure);
  void join(Vertex from, Vertex to) { m_joins.emplace_back(from, to); }

  const System& m_system;
  const SystemShape& m_shape;
  DisabledNames& m_disabled;
  std::array<std::vector<std::size_t>, 3> m_first;  // by Place::Kind: the first instance of each level or network
  std::vector<Instance> m_instances;
  std::vector<DeviceRange> m_ranges;
  std::vector<std::pair<Vertex, Vertex>> m_joins;
};

/// Whether all members hang from something in the middle.
[[nodiscard]] bool hasHub(const Interconnect& link);
/// Whether the children of an instance have an interconnect: a lone child needs none.
[[nodiscard]] bool isJoined(const Level& level);

}  // namespace p2::inline system
