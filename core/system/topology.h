// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "system/unit_routes.h"
#include "system/valid_system.h"

namespace p2::inline system {

class RouteTable;
class TorusRoutes;

/// Whether the way from one position of a ring to another leads forward (next), the shorter way; forward when both are
/// as long. Positions 0 … count−1.
[[nodiscard]] bool leadsForward(std::int64_t from, std::int64_t to, std::int64_t count);

/// The directed links of a system and the route between any two devices.
///
/// At a level joined by a switch or bus, every instance has two links: one up into it and one down from it. In a ring
/// it has one link to the next and one to the previous sibling, in a mesh one to each sibling. The middle of a bus, and
/// of a switch with a core, is a link of its own. Two devices whose numbers first differ at level j talk over the
/// interconnect of level j. On the way out of and into deeper levels a message crosses a port of every switch; a ring
/// or mesh is left and entered at the member that holds the device. Networks add links in the same manner. Each port of
/// a switch carries half of the switch's latency, each hop of a ring or mesh all of it, a bus all of its own in the
/// middle.
///
/// In a uniform system (System::isUniform()) there is one way for every message, known in closed form; in any other the
/// links are listed and the routes searched for: within the smallest instance that holds both devices and connects them
/// and through no instance that holds neither, the largest bottleneck bandwidth, then the fewest links, then the lowest
/// link numbers.
class Topology {
 public:
  explicit Topology(const ValidSystem& system);
  /// A topology with every link listed, even of a uniform system; of at most kMostListedDevices. O(links).
  [[nodiscard]] static Topology listed(const ValidSystem& system);

  [[nodiscard]] const ValidSystem& system() const { return m_system; }

  /// Whether the closed form applies.
  [[nodiscard]] bool isUniform() const { return m_table == nullptr; }
  /// Every link one by one, by number; null where the closed form applies.
  [[nodiscard]] const LinkGraph* linkGraph() const;

  [[nodiscard]] std::int64_t linkCount() const { return m_linkCount; }
  /// All links, in ascending order.
  [[nodiscard]] IdRange<LinkId> links() const { return IdRange<LinkId>(m_linkCount); }
  [[nodiscard]] double bandwidth(LinkId link) const;
  [[nodiscard]] double latency(LinkId link) const;
  /// The lowest of the links that share one bandwidth with it: the two directions of a half-duplex link. Else itself.
  [[nodiscard]] LinkId resource(LinkId link) const;
  /// "node 2 ↑", "gpu 5 of node 1 → next", "NIC 0 of node 2 → PCIe switch 1 of node 2": unique, for people.
  [[nodiscard]] std::string linkName(LinkId link) const;

  struct LinkEnds {
    Place from;
    Place to;  ///< equal to `from` for the centre of a bus or switch
    friend auto operator<=>(const LinkEnds&, const LinkEnds&) = default;
  };
  [[nodiscard]] LinkEnds ends(LinkId link) const;
  /// The instance of an interconnect or network that the link is part of.
  [[nodiscard]] Place owner(LinkId link) const;
  /// The number of the interconnect that the link is part of: of the levels, outermost first, then of the networks.
  [[nodiscard]] std::size_t interconnectOf(LinkId link) const;

  /// Appends the links from one device to another, in order; none for a device and itself. O(levels + ring size) in a
  /// uniform system; in others a search, once per pair of devices. Thread-safe.
  void route(Device from, Device to, std::vector<LinkId>& links) const;
  [[nodiscard]] double routeLatency(Device from, Device to) const;

  /// Routes in closed form over a torus; null elsewhere. Stays valid as long as the topology.
  [[nodiscard]] const TorusRoutes* torus() const;
  /// Routes that repeat from node to node; null where the closed form applies and where they do not repeat.
  [[nodiscard]] const UnitRoutes* units() const;
  /// The route between two devices by its places; null without units(), where it passes through other nodes, and beyond
  /// the routes that are kept. Stays valid as long as the topology. Thread-safe.
  [[nodiscard]] const UnitRoutes::Hops* hops(Device from, Device to) const;

  /// The links of one level, in the shape every instance of it repeats; the links themselves only if uniform.
  struct LevelLinks {
    std::string name;
    InterconnectKind kind = InterconnectKind::Switch;
    double bandwidth = 0;
    double latency = 0;             ///< of one link
    std::int64_t count = 1;         ///< siblings
    std::int64_t devicesBelow = 1;  ///< under one instance
    LinkId first;                   ///< up or next of the first instance

    /// The instance that is or contains a device.
    [[nodiscard]] std::int64_t instanceOf(Device device) const { return device.value() / devicesBelow; }
    /// The link that leads up or to the next sibling, or the other way: down or to the previous one. Only if uniform.
    [[nodiscard]] LinkId link(std::int64_t instance, bool otherWay) const {
      return LinkId(first.value() + 2 * instance + (otherWay ? 1 : 0));
    }

    /// Whether messages that leave an instance pass a port of its own.
    [[nodiscard]] bool hasPorts() const { return kind == InterconnectKind::Switch && count > 1; }
  };
  /// Outermost first.
  [[nodiscard]] const std::vector<LevelLinks>& levels() const { return m_levels; }
  [[nodiscard]] std::int64_t deviceCount() const { return m_deviceCount; }

 private:
  Topology(ValidSystem system, std::shared_ptr<const LinkGraph> graph);
  [[nodiscard]] std::size_t levelOf(LinkId link) const;
  [[nodiscard]] LinkGraph::Link uniformLink(LinkId link) const;
  void ringRoute(std::size_t level, std::int64_t from, std::int64_t to, std::vector<LinkId>& links) const;
  void uniformRoute(Device from, Device to, std::vector<LinkId>& links) const;

  ValidSystem m_system;
  std::vector<LevelLinks> m_levels;
  std::int64_t m_linkCount = 0;
  std::int64_t m_deviceCount = 1;
  std::shared_ptr<RouteTable> m_table;
};

}  // namespace p2::inline system
