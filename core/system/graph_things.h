// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system.
#pragma once

#include <array>
#include <set>

#include "system/link_graph.h"
#include "system/system_shape.h"

namespace p2 {

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

/// Where the links of a system begin and end. A thing is an instance of a level, of a network, or of the interconnect
/// of a level; each has vertices, and some vertices are joined: one stands at both.
class GraphThings {
 public:
  using Vertex = LinkGraph::Vertex;

  struct Thing {
    Place place;
    Room room;  ///< in which it stands
    bool works = true;
    Vertex out = -1;  ///< of a hub: where what has crossed it leaves
    Vertex in = -1;
    Vertex board = -1;   ///< where it sends into forwarding rings and meshes …
    Vertex alight = -1;  ///< … and where they arrive
  };

  /// All must outlive it. O(things).
  GraphThings(const System& system, const SystemShape& shape, DisabledNames& disabled);

  [[nodiscard]] std::size_t indexOf(const Place& place) const;
  [[nodiscard]] const Thing& at(std::size_t index) const { return m_things[index]; }
  [[nodiscard]] const Thing& at(const Place& place) const { return m_things[indexOf(place)]; }

  /// Makes something a member of a forwarding ring or mesh that stands in that room.
  void openStation(std::size_t index, const Room& room);
  /// Lets one talk to the outside of `outer` through `inner`.
  void joinInto(const Thing& outer, const Thing& inner);
  /// The ways out of and into every room: gateways, else the interconnect of the children, else each child.
  void joinRooms();

  /// By vertex: the room in which it can be met.
  [[nodiscard]] const std::vector<Room>& rooms() const { return m_rooms; }
  /// Whoever stands at the first of a pair stands at the second as well.
  [[nodiscard]] const std::vector<std::pair<Vertex, Vertex>>& joins() const { return m_joins; }

 private:
  Vertex addVertex(const Room& room);
  Thing& addThing(const Place& place, std::size_t depth, std::int64_t room);
  void addHub(Thing& hub, const Interconnect& link);
  bool joinGateways(std::size_t depth, std::int64_t room);
  void join(Vertex from, Vertex to) { m_joins.emplace_back(from, to); }

  const System& m_system;
  const SystemShape& m_shape;
  DisabledNames& m_disabled;
  std::array<std::vector<std::size_t>, 3> m_first;  // by Place::Kind: the first thing of each level or network
  std::vector<Thing> m_things;
  std::vector<Room> m_rooms;
  std::vector<std::pair<Vertex, Vertex>> m_joins;
};

/// Whether all members hang from something in the middle.
[[nodiscard]] bool hasHub(const Interconnect& link);
/// Whether the children of an instance have an interconnect: a lone child needs none.
[[nodiscard]] bool isJoined(const Level& level);

}  // namespace p2
