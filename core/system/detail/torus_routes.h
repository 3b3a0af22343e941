// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "system/link_graph.h"

namespace p2::inline system {

/// Routes over a torus in closed form: every link is of a ring, every device stands in one ring of each network, and
/// rings of two networks meet in one device at most. A search would visit the volume between two devices, a step along
/// a ring looks at the links of one device.
class TorusRoutes {
 public:
  /// Null where the links are no torus of equal bandwidths. The graph must outlive it. O(links · networks).
  [[nodiscard]] static std::unique_ptr<TorusRoutes> of(const LinkGraph& graph);

  /// As RouteSearch::route(). O(links of the route · networks).
  [[nodiscard]] std::vector<LinkId> route(Device from, Device to) const;

 private:
  /// A link that leaves a device.
  struct Step {
    std::int32_t link = 0;
    std::int32_t to = 0;  ///< device
    std::int32_t network = 0;
    bool forward = true;  ///< to the next on the ring
  };

  explicit TorusRoutes(const LinkGraph& graph) : m_graph(graph) {}
  [[nodiscard]] bool findSteps();
  [[nodiscard]] bool findPlaces();
  [[nodiscard]] bool findPlacesOf(std::size_t network);
  [[nodiscard]] bool isProduct() const;
  [[nodiscard]] std::span<const Step> stepsFrom(std::size_t device) const {
    return std::span(m_steps).subspan(device * 2 * m_sizes.size(), 2 * m_sizes.size());
  }
  [[nodiscard]] std::int32_t placeOf(std::size_t device, std::size_t network) const {
    return m_places[device * m_sizes.size() + network];
  }

  const LinkGraph& m_graph;
  std::size_t m_devices = 0;
  std::vector<std::int32_t> m_sizes;   // ring sizes, by network
  std::vector<std::int32_t> m_places;  // by device, then network: position on its ring
  std::vector<Step> m_steps;           // by device, by ascending link
};

}  // namespace p2::inline system
