// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <vector>

#include "cost/flows/link_loads.h"
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
  /// Adds the sums to the loads of the same topology. O(links · different bytes).
  void addTo(LinkLoads& loads) const;

 private:
  const TorusRoutes& m_torus;
  // By bytes, then slot: flows that start at a link less those that ended before it. Counts of equal flows, so that
  // links with the same flows have the same load to the last bit.
  std::map<double, std::vector<std::int32_t>> m_changes;
};

}  // namespace p2::inline cost
