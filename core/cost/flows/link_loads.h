// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <span>

#include "cost/flows/detail/zeroed.h"
#include "cost/flows/flows.h"
#include "synthesis/lowering.h"

namespace p2::inline cost {

/// What every link of a topology carries, flow by flow.
class LinkLoads {
 public:
  /// The topology must outlive it.
  explicit LinkLoads(const Topology& topology);

  /// Adds flows that carry that many bytes per unit of weight. O(links of the routes).
  void add(const RoutedFlows& routed, Bytes bytes);
  /// Adds to one link.
  void add(LinkId link, double bytes);
  /// Links that carry something, in any order.
  [[nodiscard]] const std::vector<LinkId>& loaded() const { return m_loaded; }
  /// Adds what other loads of the same topology hold.
  void add(const LinkLoads& other);

  [[nodiscard]] const Topology& topology() const { return *m_topology; }
  /// Bytes over one link.
  [[nodiscard]] Bytes bytes(LinkId link) const { return Bytes(m_bytes[link.index()]); }
  /// Busy time: of its own traffic and of links that share its bandwidth.
  [[nodiscard]] double seconds(LinkId link) const;
  /// The busiest link of each interconnect that carries something, as Traffic::loads.
  [[nodiscard]] std::vector<LinkLoad> busiestLinks() const;

 private:
  /// The first of the links that share a bandwidth to carry something.
  [[nodiscard]] LinkId carrierOf(LinkId resource) const;

  const Topology* m_topology;
  bool m_sharing = false;  // whether any links share a bandwidth
  Zeroed m_bytes;
  Zeroed m_shared;  // by resource: bytes of all its links; empty unless sharing
  std::vector<LinkId> m_loaded;
};

/// What single groups send from one device to another over the links of capped interconnects.
class OwnLoads {
 public:
  /// Caps by interconnect, see CostModel::caps(). Both must outlive it.
  OwnLoads(const Topology& topology, std::span<const double> caps) : m_topology(topology), m_caps(caps) {}

  /// Looks at the flows of one group, as LinkLoads::add(). O(links of the routes) where there are caps, else O(1).
  void add(const RoutedFlows& routed, Bytes bytes);
  /// One link over which that much goes from one device to another.
  void add(LinkId link, double bytes) {
    if (!m_caps.empty()) consider(link, bytes);
  }
  /// Whether there are caps, so that flows matter.
  [[nodiscard]] bool hasCaps() const { return !m_caps.empty(); }
  /// As Traffic::own.
  [[nodiscard]] std::vector<LinkLoad> busiestLinks() const;

 private:
  void consider(LinkId link, double bytes);

  const Topology& m_topology;
  std::span<const double> m_caps;
  std::map<std::size_t, LinkLoad> m_busiest;  // by interconnect
};

/// Traffic of every link in one run of a step, with the algorithm that simulateStep() would price. After a stop request
/// it returns soon, and its result is meaningless.
[[nodiscard]] LinkLoads linkLoads(const Topology& topology, const LoweredStep& step, const CostOptions& options,
                                  const std::stop_token& stop = {});
/// Loads summed over the steps of a program.
[[nodiscard]] LinkLoads linkLoads(const Topology& topology, const LoweredProgram& program, const CostOptions& options);

}  // namespace p2::inline cost
