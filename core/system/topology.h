// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "system/system.h"

namespace p2 {

using Device = std::int64_t;
using LinkId = std::int64_t;

/// Whether the way from one position of a ring to another leads forward (next), the shorter way; forward when both are
/// as long. Positions 0 … count−1.
[[nodiscard]] bool leadsForward(std::int64_t from, std::int64_t to, std::int64_t count);

/// The directed links of a system and the route between any two devices.
///
/// A switch of level j gives every instance of the level two links, one up into the switch and one down from it; a
/// ring gives it one link to the next and one to the previous sibling. Two devices that part at level j talk over the
/// interconnect of level j; on the way out of (and into) deeper levels a message crosses the port of every switch it
/// passes, while a ring is joined to the outside at each of its members.
/// Each port of a switch carries half of the switch's latency, each hop of a ring all of the ring's.
class Topology {
 public:
  explicit Topology(const System& system);

  [[nodiscard]] LinkId linkCount() const { return m_linkCount; }
  [[nodiscard]] double bandwidth(LinkId link) const { return m_levels[levelOf(link)].bandwidth; }
  [[nodiscard]] double latency(LinkId link) const { return m_levels[levelOf(link)].latency; }
  /// "node 2 ↑", "gpu 5 of node 1 → next": unique, for people.
  [[nodiscard]] std::string linkName(LinkId link) const;
  [[nodiscard]] std::size_t levelOf(LinkId link) const;
  /// The instance of levelOf(link) whose port or outgoing ring link it is, counted over the whole system.
  [[nodiscard]] std::int64_t instanceOf(LinkId link) const;

  /// Appends the links from one device to another, in order. Nothing for a device and itself. Widest, then shortest,
  /// then lowest link numbers; O(levels + ring size).
  void route(Device from, Device to, std::vector<LinkId>& links) const;
  [[nodiscard]] double routeLatency(Device from, Device to) const;

  /// The links of one level, in the shape every instance of it repeats.
  struct LevelLinks {
    std::string name;
    InterconnectKind kind = InterconnectKind::Switch;
    double bandwidth = 0;
    double latency = 0;        ///< of one link
    std::int64_t count = 1;    ///< siblings
    Device devicesBelow = 1;   ///< under one instance
    LinkId first = 0;          ///< its links are first + 2·instance (up, next) and one more (down, previous)

    /// Whether messages that leave an instance pass a port of its own.
    [[nodiscard]] bool hasPorts() const { return kind == InterconnectKind::Switch && count > 1; }
  };
  /// Outermost first.
  [[nodiscard]] const std::vector<LevelLinks>& levels() const { return m_levels; }
  [[nodiscard]] Device deviceCount() const { return m_deviceCount; }

 private:
  void ringRoute(std::size_t level, std::int64_t from, std::int64_t to, std::vector<LinkId>& links) const;

  std::vector<LevelLinks> m_levels;
  LinkId m_linkCount = 0;
  Device m_deviceCount = 1;
};

}  // namespace p2
