// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>

#include "cost/flows/exchange_load.h"
#include "synthesis/state_graph.h"

namespace p2::inline cost {

/// The traffic of a pattern's groups where routes repeat from node to node (Topology::units()): groups that differ in
/// their nodes alone put the same load on corresponding links, so one of them is counted for all if all nodes are of
/// one class. Equals ListedLoad, flow by flow. For hierarchies of the kind ReductionAxes.
class UnitLoad {
 public:
  /// All arguments must outlive it. After a stop request results are meaningless. O(groups + members of one).
  UnitLoad(const Topology& topology, const LibraryView& machine, const SynthesisHierarchy& hierarchy,
           const GroupPattern& pattern, std::stop_token stop = {});

  void listenTo(std::stop_token stop) { m_stop = std::move(stop); }

  /// Traffic::loads for a vector of one byte, with groups that work on `shares` of it (see StateEdge). O(flows of the
  /// groups through one set of nodes · route length), and all groups if nodes or shares differ.
  [[nodiscard]] std::vector<LinkLoad> loads(FlowShape shape, const std::vector<GroupShare>& shares) const;
  /// Traffic::own for the same, with the caps that a model has for the shape's algorithm.
  [[nodiscard]] std::vector<LinkLoad> ownLoads(FlowShape shape, const std::vector<GroupShare>& shares,
                                               std::span<const double> caps) const;
  /// Messages from each member to the next, from the last to the first too if closed.
  struct RingLoad {
    std::vector<LinkLoad> loads;
    double slowest = 0;        ///< seconds of the slowest route
    double slowestAcross = 0;  ///< ChannelPath::slowest, of all groups
  };
  [[nodiscard]] RingLoad ring(bool closed) const;
  /// Hops of the slowest group.
  [[nodiscard]] Hops hops(Collective collective, FlowShape shape) const;
  /// Path of the group whose path is the longest.
  [[nodiscard]] ChannelPath path() const;
  /// Nodes that a group spans.
  [[nodiscard]] std::int64_t nodes() const;

 private:
  [[nodiscard]] DeviceGroup groupAt(std::int64_t base) const;
  [[nodiscard]] double shareOf(std::int64_t base, const std::vector<GroupShare>& shares) const;
  [[nodiscard]] bool addExchange(LinkLoads& loads, FlowShape shape, const std::vector<GroupShare>& shares) const;
  void addFlows(LinkLoads& loads, const std::vector<Flow>& flows, const std::vector<GroupShare>& shares,
                const std::optional<RailRelays>& relays = {}) const;
  void addRoute(LinkLoads& loads, Device from, Device to, double weight, bool forAll) const;
  [[nodiscard]] bool oneForAll(const std::vector<GroupShare>& shares) const;
  void eachBase(bool forAll, const std::function<void(std::int64_t base)>& visit) const;

  const Topology& m_topology;
  const UnitRoutes& m_units;
  const LibraryView& m_machine;
  const SynthesisHierarchy& m_hierarchy;
  GroupPattern m_pattern;
  std::stop_token m_stop;
  SynthesisHierarchy::GroupLayout m_layout;
  std::vector<std::int64_t> m_outer;  // bases of groups, as nodes …
  std::vector<std::int64_t> m_inner;  // … and as devices in a node
  std::vector<double> m_times;        // by depth: sets of nodes that share an instance there
};

}  // namespace p2::inline cost
