// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "cost/flows/link_loads.h"
#include "cost/flows/rail_relays.h"

namespace p2::inline cost {

/// An AllToAll among devices that are the same ones in every node: pairs of nodes of the same classes, equally far
/// apart, send over corresponding links, so that the links of each node are counted once for all its partners.
/// Equals the flows of FlowShape::Exchange, pair by pair; with relays, of FlowShape::RailExchange.
class ExchangeLoad {
 public:
  /// Members as numbers of nodes and of devices in a node. The topology must have units() and outlive it.
  ExchangeLoad(const Topology& topology, std::vector<std::int64_t> nodes, std::vector<std::int64_t> local,
               const std::optional<RailRelays>& relays = {});
  /// For a group in device order; none without units(), or where its nodes have different members.
  [[nodiscard]] static std::optional<ExchangeLoad> of(const Topology& topology, const DeviceGroup& group,
                                                      const std::optional<RailRelays>& relays = {});

  /// Adds what every link carries where each member sends `weight` to every other. False, and nothing added, where a
  /// route passes through other nodes. `times` is how often a link attached at a depth is met (UnitRoutes::Hop).
  /// O(nodes · links of a node + pairs in a node).
  [[nodiscard]] bool addTo(LinkLoads& loads, double weight, const std::function<double(std::size_t)>& times) const;
  /// Seconds of the slowest route; −1 where one passes through other nodes.
  [[nodiscard]] double slowestRoute() const;

 private:
  /// Load of all pairs of devices of two nodes, by how the links are attached.
  struct Bundle {
    std::map<std::tuple<bool, std::uint8_t, std::int32_t>, double> hops;
    double slowest = 0;
  };
  using Kind = std::tuple<std::int32_t, std::int32_t, std::size_t>;  ///< classes of both nodes, and where they part
  /// By depth and instance: nodes of every class in it.
  using Counts = std::vector<std::map<std::int64_t, std::map<std::int32_t, std::int64_t>>>;

  [[nodiscard]] Counts countNodes() const;
  /// By kind, for each node its number of partners.
  void eachKind(const Counts& counts, std::int64_t node,
                const std::function<void(const Kind& kind, std::int64_t partners)>& visit) const;
  [[nodiscard]] std::optional<std::map<Kind, Bundle>> bundles() const;
  [[nodiscard]] std::optional<Bundle> bundleOf(std::int64_t from, std::int64_t to) const;
  [[nodiscard]] Device relayOf(Device from, Device to) const;
  [[nodiscard]] bool addRoute(Device from, Device to, Bundle& bundle, double& latency) const;

  const Topology& m_topology;
  const UnitRoutes& m_units;
  std::vector<std::int64_t> m_nodes;
  std::vector<std::int64_t> m_local;
  std::optional<RailRelays> m_relays;
};

}  // namespace p2::inline cost
