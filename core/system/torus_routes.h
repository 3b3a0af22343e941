// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "system/link_graph.h"

namespace p2::inline system {

/// Routes over a torus in closed form: every link is of a ring, every device stands in one ring of each network, and
/// rings of two networks meet in one device at most. A route goes along one ring of each network, in the order of the
/// networks, the shorter way round. A search would visit the volume between two devices.
class TorusRoutes {
 public:
  /// Null where the links are no torus of equal bandwidths, with equal latencies in each network. The graph must
  /// outlive it. O(links · networks).
  [[nodiscard]] static std::unique_ptr<TorusRoutes> of(const LinkGraph& graph);

  /// Links of a route along one ring, in one direction. The links of a ring in one direction have consecutive slots.
  struct Run {
    std::size_t ring = 0;    ///< the first slot of the ring in this direction
    std::int32_t size = 0;   ///< links of the ring in this direction
    std::int32_t first = 0;  ///< place of the run's first link: its slot is ring + first
    std::int32_t count = 0;  ///< links; after the last slot of the ring comes its first
    double latency = 0;      ///< seconds, of all links
  };
  /// Calls visit(const Run&) for each run of the route between two devices, in order. O(networks).
  template <class Visit>
  void eachRun(Device from, Device to, const Visit& visit) const {
    std::size_t at = from.index();
    for (std::size_t network = 0; network < m_sizes.size(); ++network) {
      // Most messages change their place in one network alone.
      if (standOf(at, network).place != standOf(to.index(), network).place) visit(runOf(network, at, to.index()));
    }
  }

  /// As RouteSearch::route(). O(links of the route + networks).
  [[nodiscard]] std::vector<LinkId> route(Device from, Device to) const;
  /// Whether any link has a latency.
  [[nodiscard]] bool hasLatencies() const { return m_hasLatencies; }
  /// Seconds along a route. O(networks).
  [[nodiscard]] double routeLatency(Device from, Device to) const;

  [[nodiscard]] std::size_t slotCount() const { return m_links.size(); }
  [[nodiscard]] LinkId linkAt(std::size_t slot) const { return m_links[slot]; }
  /// The network of a link, into the system's. Its links are all as wide.
  [[nodiscard]] std::size_t networkOf(LinkId link) const { return m_networks[link.index()]; }
  /// Slots of one ring in one direction.
  struct Ring {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// All rings in both directions, by slot.
  [[nodiscard]] const std::vector<Ring>& rings() const { return m_rings; }

  /// Devices of a ring, by network.
  [[nodiscard]] std::span<const std::int32_t> sizes() const { return m_sizes; }
  /// Seconds of one link, by network.
  [[nodiscard]] std::span<const double> latencies() const { return m_latencies; }
  /// Where a device stands in its ring of a network.
  [[nodiscard]] std::int32_t placeOf(Device device, std::size_t network) const {
    return standOf(device.index(), network).place;
  }
  /// The device at a place of the ring of a network in which another one stands.
  [[nodiscard]] Device along(Device device, std::size_t network, std::int32_t place) const {
    const std::int32_t ring = standOf(device.index(), network).ring;
    return Device(m_deviceAt[network * m_devices + static_cast<std::size_t>(ring + place)]);
  }
  /// The slots of a device's ring in a direction. Forward, the link that leaves place p has slot begin + p; backward,
  /// begin + size − 1 − p.
  [[nodiscard]] Ring ringOf(Device device, std::size_t network, bool forward) const;
  /// The run from a device to a place of its ring of a network; without links to its own place.
  [[nodiscard]] Run runTo(Device from, std::size_t network, std::int32_t place) const {
    std::size_t at = from.index();
    return runOf(network, at, along(from, network, place).index());
  }

 private:
  /// A link that leaves a device.
  struct Step {
    std::int32_t link = 0;
    std::int32_t to = 0;  ///< device
    bool forward = true;  ///< to the next on the ring
  };
  /// Where a device stands in the rings of a network.
  struct Stand {
    std::int32_t ring = -1;  ///< the first place of its ring among all places of the network
    std::int32_t place = -1;
  };

  explicit TorusRoutes(const LinkGraph& graph) : m_graph(graph) {}
  [[nodiscard]] bool findSteps();
  [[nodiscard]] bool findPlaces(std::size_t network);
  [[nodiscard]] bool isProduct() const;
  void listLinks();
  /// The run along a network from a device to the place of another; `at` becomes the device at its end.
  [[nodiscard]] Run runOf(std::size_t network, std::size_t& at, std::size_t to) const;
  /// The two links of a network that leave a device, by ascending link.
  [[nodiscard]] std::span<const Step, 2> stepsOf(std::size_t device, std::size_t network) const {
    return std::span(m_steps).subspan((device * m_sizes.size() + network) * 2).first<2>();
  }
  [[nodiscard]] const Stand& standOf(std::size_t device, std::size_t network) const {
    return m_stands[network * m_devices + device];
  }

  const LinkGraph& m_graph;
  std::size_t m_devices = 0;
  std::vector<std::int32_t> m_sizes;  // ring sizes, by network
  std::vector<double> m_latencies;    // by network, seconds of one link
  bool m_hasLatencies = false;
  std::vector<Step> m_steps;              // by device, then network
  std::vector<Stand> m_stands;            // by network, then device
  std::vector<std::int32_t> m_deviceAt;   // by network, then ring and place
  std::vector<LinkId> m_links;            // by slot: network, direction, ring, place in that direction
  std::vector<std::uint32_t> m_networks;  // by link
  std::vector<Ring> m_rings;              // by slot
};

}  // namespace p2::inline system
