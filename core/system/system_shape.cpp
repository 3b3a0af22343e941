// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/system_shape.h"

namespace p2::inline system {

SystemShape::SystemShape(const System& system) : m_system(system), m_enclosures{1} {
  for (const Level& level : system.levels) m_enclosures.push_back(m_enclosures.back() * level.count);
  for (const Network& network : system.networks) m_depths.push_back(depthWithin(system, network.within));
}

DeviceRange SystemShape::devicesOf(std::size_t depth, std::int64_t instance) const {
  const std::int64_t devices = m_enclosures.back() / m_enclosures[depth];
  return {instance * devices, (instance + 1) * devices};
}

std::int64_t SystemShape::instancesOf(std::size_t network) const {
  return m_enclosures[m_depths[network]] * m_system.networks[network].instances;
}

std::optional<Place> SystemShape::find(const std::string& name) const {
  for (std::size_t i = 0; i < m_system.levels.size(); ++i) {
    if (m_system.levels[i].name == name) return Place{Place::Kind::Level, i, 0};
  }
  for (std::size_t i = 0; i < m_system.networks.size(); ++i) {
    if (m_system.networks[i].interconnect.name == name) return Place{Place::Kind::Network, i, 0};
  }
  return {};
}

std::int64_t SystemShape::available(std::size_t depth, const Place& what) const {
  if (what.kind == Place::Kind::Level)
    return what.index < depth ? 0 : m_enclosures[what.index + 1] / m_enclosures[depth];
  return m_depths[what.index] < depth ? 0 : instancesOf(what.index) / m_enclosures[depth];
}

std::int64_t SystemShape::count(std::size_t network, const Member& member) const {
  return member.count > 0 ? member.count : available(m_depths[network], *find(member.of)) - member.first;
}

std::vector<Place> SystemShape::membersOf(std::size_t network, std::int64_t instance) const {
  const Network& own = m_system.networks[network];
  std::vector<Place> places;
  for (const Member& member : own.members) {
    const Place first = *find(member.of);
    const std::int64_t share = count(network, member) / own.instances;
    const std::int64_t base = instance / own.instances * available(m_depths[network], first) + member.first;
    const std::int64_t seat = instance % own.instances;
    for (std::int64_t i = 0; i < share; ++i) {
      const std::int64_t nth =
          own.assignment == Network::Assignment::Blocks ? seat * share + i : i * own.instances + seat;
      places.push_back({first.kind, first.index, base + nth});
    }
  }
  return places;
}

}  // namespace p2::inline system
