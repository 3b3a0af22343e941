// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/graph_vertices.h"

namespace p2::inline system {

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

GraphVertices::GraphVertices(const System& system, const SystemShape& shape, DisabledNames& disabled)
    : m_system(system), m_shape(shape), m_disabled(disabled) {
  for (std::size_t level = 0; level < system.levels.size(); ++level) {
    m_first[0].push_back(m_instances.size());
    for (std::int64_t i = 0; i < shape.enclosureCount(level + 1); ++i) {
      Instance& box = addInstance({Place::Kind::Level, level, i}, level, i / system.levels[level].count);
      box.out = addVertex(box.within);
      box.in = addVertex(box.within);
    }
  }
  for (std::size_t level = 0; level < system.levels.size(); ++level) {
    m_first[1].push_back(m_instances.size());
    for (std::int64_t i = 0; i < shape.enclosureCount(level); ++i) {
      addHub(addInstance({Place::Kind::Interconnect, level, i}, level, i), system.levels[level].interconnect);
    }
  }
  for (std::size_t network = 0; network < system.networks.size(); ++network) {
    m_first[2].push_back(m_instances.size());
    const Network& own = system.networks[network];
    for (std::int64_t i = 0; i < shape.instancesOf(network); ++i) {
      addHub(addInstance({Place::Kind::Network, network, i}, shape.depthOf(network), i / own.instances),
             own.interconnect);
    }
  }
}

GraphVertices::Vertex GraphVertices::addVertex(const DeviceRange& range) {
  m_ranges.push_back(range);
  return static_cast<Vertex>(m_ranges.size()) - 1;
}

/// Stands in an enclosure of that depth, and is out of order with it.
GraphVertices::Instance& GraphVertices::addInstance(const Place& place, std::size_t depth, std::int64_t enclosure) {
  Instance instance{place, m_shape.devicesOf(depth, enclosure)};
  if (depth > 0) instance.works = at({Place::Kind::Level, depth - 1, enclosure}).works;
  if (!m_disabled.empty() && m_disabled.disables(placeName(m_system, place))) instance.works = false;
  m_instances.push_back(instance);
  return m_instances.back();
}

/// A shared centre is a link of its own, between two vertices.
void GraphVertices::addHub(Instance& hub, const Interconnect& link) {
  const bool plain = link.kind == InterconnectKind::Switch && link.core == 0;
  hub.out = addVertex(hub.within);
  hub.in = plain ? hub.out : addVertex(hub.within);
}

std::size_t GraphVertices::indexOf(const Place& place) const {
  return m_first[static_cast<std::size_t>(place.kind)][place.index] + static_cast<std::size_t>(place.instance);
}

// A message that arrives over a forwarding ring or mesh may continue on it, stay, or leave over any other link; one
// that arrives over other links may stay or continue on it. Hubs are always crossed.
void GraphVertices::openRelay(std::size_t index, const DeviceRange& range) {
  Instance& instance = m_instances[index];
  if (instance.place.kind != Place::Kind::Level) {
    instance.relayOut = instance.out;
    instance.relayIn = instance.in;
    return;
  }
  if (instance.relayOut >= 0) {
    DeviceRange& known = m_ranges[static_cast<std::size_t>(instance.relayOut)];
    if (known.isWithin(range)) known = m_ranges[static_cast<std::size_t>(instance.relayIn)] = range;
    return;
  }
  instance.relayOut = addVertex(range);
  instance.relayIn = addVertex(range);
  join(instance.out, instance.relayOut);
  join(instance.in, instance.relayOut);
  join(instance.relayIn, instance.relayOut);
  join(instance.relayIn, instance.in);
  join(instance.relayIn, instance.out);
}

void GraphVertices::joinInto(const Instance& outer, const Instance& inner) {
  if (!inner.works || !outer.works) return;
  join(inner.out, outer.out);
  join(outer.in, inner.in);
}

/// Whether the enclosure has any.
bool GraphVertices::joinGateways(std::size_t depth, std::int64_t enclosure) {
  bool found = false;
  for (std::size_t network = 0; network < m_system.networks.size(); ++network) {
    const Network& own = m_system.networks[network];
    if (!own.gateway || m_shape.depthOf(network) != depth) continue;
    found = true;
    for (std::int64_t i = 0; i < own.instances; ++i) {
      joinInto(at({Place::Kind::Level, depth - 1, enclosure}),
               at({Place::Kind::Network, network, enclosure * own.instances + i}));
    }
  }
  return found;
}

void GraphVertices::joinEnclosures() {
  for (std::size_t depth = 1; depth < m_system.levels.size(); ++depth) {
    const Level& children = m_system.levels[depth];
    const bool hub = isJoined(children) && hasHub(children.interconnect);
    for (std::int64_t enclosure = 0; enclosure < m_shape.enclosureCount(depth); ++enclosure) {
      if (joinGateways(depth, enclosure)) continue;
      const Instance& outer = at({Place::Kind::Level, depth - 1, enclosure});
      if (hub) joinInto(outer, at({Place::Kind::Interconnect, depth, enclosure}));
      for (std::int64_t i = 0; i < children.count && !hub; ++i) {
        joinInto(outer, at({Place::Kind::Level, depth, enclosure * children.count + i}));
      }
    }
  }
}

}  // namespace p2::inline system
