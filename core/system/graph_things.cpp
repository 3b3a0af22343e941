// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/graph_things.h"

namespace p2 {

DisabledNames::DisabledNames(const System& system)
    : m_names(system.disabled.begin(), system.disabled.end()), m_unknown(m_names) {}

bool DisabledNames::disables(const std::string& name) {
  m_unknown.erase(name);
  return m_names.contains(name);
}

bool hasHub(const Interconnect& link) {
  return link.kind == InterconnectKind::Switch || link.kind == InterconnectKind::Bus;
}

bool isJoined(const Level& level) { return level.count > 1 && level.interconnect.kind != InterconnectKind::None; }

GraphThings::GraphThings(const System& system, const SystemShape& shape, DisabledNames& disabled)
    : m_system(system), m_shape(shape), m_disabled(disabled) {
  for (std::size_t level = 0; level < system.levels.size(); ++level) {
    m_first[0].push_back(m_things.size());
    for (std::int64_t i = 0; i < shape.roomCount(level + 1); ++i) {
      Thing& box = addThing({Place::Kind::Level, level, i}, level, i / system.levels[level].count);
      box.out = addVertex(box.room);
      box.in = addVertex(box.room);
    }
  }
  for (std::size_t level = 0; level < system.levels.size(); ++level) {
    m_first[1].push_back(m_things.size());
    for (std::int64_t i = 0; i < shape.roomCount(level); ++i) {
      addHub(addThing({Place::Kind::Interconnect, level, i}, level, i), system.levels[level].interconnect);
    }
  }
  for (std::size_t network = 0; network < system.networks.size(); ++network) {
    m_first[2].push_back(m_things.size());
    const Network& own = system.networks[network];
    for (std::int64_t i = 0; i < shape.instancesOf(network); ++i) {
      addHub(addThing({Place::Kind::Network, network, i}, shape.depthOf(network), i / own.instances), own.interconnect);
    }
  }
}

GraphThings::Vertex GraphThings::addVertex(const Room& room) {
  m_rooms.push_back(room);
  return static_cast<Vertex>(m_rooms.size()) - 1;
}

/// Stands in a room of that depth, and is out of order with it.
GraphThings::Thing& GraphThings::addThing(const Place& place, std::size_t depth, std::int64_t room) {
  Thing thing{place, m_shape.room(depth, room)};
  if (depth > 0) thing.works = at({Place::Kind::Level, depth - 1, room}).works;
  if (!m_disabled.empty() && m_disabled.disables(placeName(m_system, place))) thing.works = false;
  m_things.push_back(thing);
  return m_things.back();
}

/// What is shared in the middle is a link of its own, between two vertices.
void GraphThings::addHub(Thing& hub, const Interconnect& link) {
  const bool plain = link.kind == InterconnectKind::Switch && link.core == 0;
  hub.out = addVertex(hub.room);
  hub.in = plain ? hub.out : addVertex(hub.room);
}

std::size_t GraphThings::indexOf(const Place& place) const {
  return m_first[static_cast<std::size_t>(place.kind)][place.index] + static_cast<std::size_t>(place.instance);
}

// Whoever arrives by a forwarding ring or mesh may go on over it, stay, or leave by any other link; whoever arrives by
// other links may stay or go on over it. A hub is passed anyway.
void GraphThings::openStation(std::size_t index, const Room& room) {
  Thing& thing = m_things[index];
  if (thing.place.kind != Place::Kind::Level) {
    thing.board = thing.out;
    thing.alight = thing.in;
    return;
  }
  if (thing.board >= 0) {
    Room& known = m_rooms[static_cast<std::size_t>(thing.board)];
    if (known.liesIn(room)) known = m_rooms[static_cast<std::size_t>(thing.alight)] = room;
    return;
  }
  thing.board = addVertex(room);
  thing.alight = addVertex(room);
  join(thing.out, thing.board);
  join(thing.in, thing.board);
  join(thing.alight, thing.board);
  join(thing.alight, thing.in);
  join(thing.alight, thing.out);
}

void GraphThings::joinInto(const Thing& outer, const Thing& inner) {
  if (!inner.works || !outer.works) return;
  join(inner.out, outer.out);
  join(outer.in, inner.in);
}

/// Whether the room has any.
bool GraphThings::joinGateways(std::size_t depth, std::int64_t room) {
  bool found = false;
  for (std::size_t network = 0; network < m_system.networks.size(); ++network) {
    const Network& own = m_system.networks[network];
    if (!own.gateway || m_shape.depthOf(network) != depth) continue;
    found = true;
    for (std::int64_t i = 0; i < own.instances; ++i) {
      joinInto(at({Place::Kind::Level, depth - 1, room}),
               at({Place::Kind::Network, network, room * own.instances + i}));
    }
  }
  return found;
}

void GraphThings::joinRooms() {
  for (std::size_t depth = 1; depth < m_system.levels.size(); ++depth) {
    const Level& children = m_system.levels[depth];
    const bool hub = isJoined(children) && hasHub(children.interconnect);
    for (std::int64_t room = 0; room < m_shape.roomCount(depth); ++room) {
      if (joinGateways(depth, room)) continue;
      const Thing& outer = at({Place::Kind::Level, depth - 1, room});
      if (hub) joinInto(outer, at({Place::Kind::Interconnect, depth, room}));
      for (std::int64_t i = 0; i < children.count && !hub; ++i) {
        joinInto(outer, at({Place::Kind::Level, depth, room * children.count + i}));
      }
    }
  }
}

}  // namespace p2
