// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "cost/flows/link_loads.h"
#include "cost/flows/torus_rings.h"
#include "system/torus_routes.h"

namespace p2::inline cost {

/// Bytes on the links of a torus, counted by runs of links: a flow costs as much as the torus has networks, however
/// long its route is.
class TorusLoads {
 public:
  /// The torus must outlive it.
  explicit TorusLoads(const TorusRoutes& torus) : m_torus(torus) {}

  /// Adds bytes to every link of a route. O(networks + logarithm of different bytes).
  void add(Device from, Device to, double bytes);
  /// Adds bytes from every member of a group to every other, as add() for each pair. O(members² · networks) at most;
  /// O(members · networks) where the members fill a block of the torus.
  void addExchange(const DeviceGroup& group, double bytes);
  /// Adds what all rings of a group carry where a single ring would carry that many bytes on every link
  /// (FlowShape::TorusRings). Returns the rings; none, and nothing is added, where the group has no such rings.
  /// O(members · networks).
  std::optional<TorusRings> addRings(const Topology& topology, const DeviceGroup& group, double bytes);
  /// The busiest link of each network, as LinkLoads::busiestLinks(), where no links share their bandwidth.
  /// O(links · different bytes).
  [[nodiscard]] std::vector<LinkLoad> busiestLinks(const Topology& topology) const;
  /// Adds the sums to the loads of the same topology. O(links · different bytes).
  void addTo(LinkLoads& loads) const;

 private:
  [[nodiscard]] std::vector<std::int32_t>& changesOf(double bytes);
  /// Flows over the links of a line of a device's ring, both ways.
  void addLine(std::vector<std::int32_t>& changes, Device device, const TorusRings::Line& line) const;
  void addRun(std::vector<std::int32_t>& changes, const TorusRoutes::Run& run, std::int32_t flows) const;
  /// Flows along the ring of a device, from the senders at every place of it to the receivers at every other.
  void addRing(std::vector<std::int32_t>& changes, Device device, std::size_t network,
               const std::map<std::int32_t, std::int32_t>& senders,
               const std::map<std::int32_t, std::int32_t>& receivers) const;
  [[nodiscard]] std::vector<double> sums() const;
  /// By different bytes, their multiples of the fewest; empty where some are no whole multiple.
  [[nodiscard]] std::vector<std::int64_t> multiples() const;
  [[nodiscard]] std::vector<LinkLoad> busiestOf(const Topology& topology,
                                                std::span<const std::int64_t> multiples) const;

  const TorusRoutes& m_torus;
  // By bytes, then slot: flows that start at a link less those that ended before it. Counts of equal flows, so that
  // links with the same flows have the same load to the last bit.
  std::map<double, std::vector<std::int32_t>> m_changes;
  std::pair<double, std::vector<std::int32_t>*> m_last{0, nullptr};  // of m_changes
};

/// Seconds of the slowest route between two members of a group. O(members · networks + places²) where the members fill
/// a block of the torus, else O(members² · networks).
[[nodiscard]] double slowestExchange(const TorusRoutes& torus, const DeviceGroup& group);

/// The messages of a group's rings that wait for one another, along one ring after the other, and the slowest of them.
[[nodiscard]] Hops ringHops(Collective collective, const TorusRoutes& torus, const TorusRings& rings);

}  // namespace p2::inline cost
