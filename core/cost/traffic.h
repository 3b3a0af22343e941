// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/near.h"
#include "cost/cost_options.h"
#include "cost/detail/library_view.h"
#include "system/link_graph.h"

namespace p2::inline cost {

/// Traffic of one link.
struct LinkLoad {
  LinkId link;
  double bytes = 0;              ///< over it and all links that share its bandwidth
  double bandwidth = 0;          ///< bytes/s
  std::size_t interconnect = 0;  ///< see Topology::interconnectOf()

  [[nodiscard]] double seconds() const { return bytes > 0 ? bytes / bandwidth : 0; }
  /// Whether it is busy for longer than the other by more than rounding.
  [[nodiscard]] bool isBusierThan(const LinkLoad& other) const { return definitelyLess(other.seconds(), seconds()); }
};

/// Messages that wait for one another.
struct Hops {
  double count = 0;
  double latency = 0;  ///< latency of the slowest of them, in seconds

  [[nodiscard]] double seconds() const { return count * latency; }
};

/// Latencies of a message that goes along a group in device order, inside nodes and between them.
struct ChannelPath {
  double inside = 0;   ///< seconds, all hops between neighbours of one node
  double across = 0;   ///< seconds, all hops from a node to the next, rail to the same rail
  double node = 0;     ///< seconds, the hops inside the slowest node
  double slowest = 0;  ///< seconds, the slowest hop between nodes

  [[nodiscard]] double seconds() const { return inside + across; }
};

/// Traffic of one run of a step on a system under one algorithm: the whole input of a cost model. The engines that
/// compute it (UniformLoad, ListedLoad, trafficOf()) do not know seconds, the models do not know groups and routes.
struct Traffic {
  Collective collective{};
  Algorithm algorithm = Algorithm::Ring;
  /// The busiest link of each interconnect that carries something, the lowest number among equals; in the order of
  /// their numbers, so that the first of equals is the lowest of all. In multiples of a flow, see `factor`.
  std::vector<LinkLoad> loads;
  /// Of each interconnect with a cap for one communicator (CostModel::caps()), the link over which some group sends the
  /// most from one device to another, with those bytes alone and the cap as its bandwidth. Ordered and counted as
  /// `loads`.
  std::vector<LinkLoad> own;
  /// Bytes on a flow of weight 1, per byte of the working vector: a link carries bytes · factor · LinkLoad::bytes.
  double factor = 1;
  /// As above for the group with the largest working vector, even if `loads` already include the groups' shares.
  double flow = 1;
  Hops hops;                 ///< hops of the slowest group, for shapes with hasHops()
  ChannelPath path;          ///< path of the group with the longest one, for shapes with hasPath()
  std::int64_t members = 0;  ///< devices of each group; a library's communicator
  std::int64_t nodes = 0;    ///< nodes that such a group spans
  std::shared_ptr<const LibraryView> machine;
};

}  // namespace p2::inline cost
