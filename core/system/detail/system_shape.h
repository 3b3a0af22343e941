// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system: the counts of all parts, and the members of all networks.
#pragma once

#include <optional>
#include <vector>

#include "system/place.h"

namespace p2::inline system {

/// Counts of a system whose names, places and numbers of instances have been checked. The enclosure of an instance is
/// the part that contains it: the system has depth 0, the instances of level d−1 have depth d.
class SystemShape {
 public:
  /// The system must outlive it.
  explicit SystemShape(const System& system);

  [[nodiscard]] std::int64_t enclosureCount(std::size_t depth) const { return m_enclosures[depth]; }
  [[nodiscard]] DeviceRange devicesOf(std::size_t depth, std::int64_t instance) const;
  [[nodiscard]] std::size_t depthOf(std::size_t network) const { return m_depths[network]; }
  /// Instances of a network in the whole system.
  [[nodiscard]] std::int64_t instancesOf(std::size_t network) const;

  /// The first instance of the level or network of that name.
  [[nodiscard]] std::optional<Place> find(const std::string& name) const;
  /// Its instances in each enclosure of that depth; 0 if it is not within one.
  [[nodiscard]] std::int64_t available(std::size_t depth, const Place& what) const;
  /// Members that an entry stands for in each enclosure of its network; the entry's name must exist.
  [[nodiscard]] std::int64_t count(std::size_t network, const Member& member) const;
  /// The places that one instance joins, entry by entry; the instance is counted over the whole system.
  [[nodiscard]] std::vector<Place> membersOf(std::size_t network, std::int64_t instance) const;

 private:
  const System& m_system;
  std::vector<std::int64_t> m_enclosures;  // by depth; the last are the devices
  std::vector<std::size_t> m_depths;
};

}  // namespace p2::inline system
