// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "collective/collective.h"
#include "collective/detail/premise.h"

namespace p2::inline collective {

/// The shapes in which the members of a group, in order, send to each other.
enum class FlowShape {
  Ring,           ///< each member to the next, the last to the first
  ChainToRoot,    ///< along the ring backwards, from all members to the first
  ChainFromRoot,  ///< along the ring, from the first to all members
  Tree,           ///< chains inside nodes and a double binary tree between their first members, both ways
  Spread,         ///< from the first directly to each member, a different part each
  RailSpread,     ///< Spread, between nodes on the receiver's rail (cost/flows/rail_relays.h)
  TorusRings,     ///< all rings of a torus that the group spans, both ways; Ring where there are none
  // Over channels, which leave a node at every local member in turn; cost/flows/channel_flows.h draws them.
  RailRing,       ///< rings round the local members and from node to node
  RailTree,       ///< chains over the local members and double binary trees of nodes, both ways
  Multicast,      ///< inside one node, through switches that add up and copy
  MulticastTree,  ///< Multicast, and double binary trees of nodes
  MulticastRing,  ///< Multicast, and networks that add up
  Exchange,       ///< every member to every other
  RailExchange,   ///< Exchange, between nodes on the receiver's rail
};
inline constexpr std::size_t kFlowShapes = 14;
/// Whether a shape is one of those over channels.
[[nodiscard]] constexpr bool usesChannels(FlowShape shape) { return shape >= FlowShape::RailRing; }

/// Whether one member has the whole vector before or after, and the others pass it on.
[[nodiscard]] constexpr bool isChain(FlowShape shape) {
  return shape == FlowShape::ChainToRoot || shape == FlowShape::ChainFromRoot;
}
/// Whether messages between nodes keep to the receiver's rail, by way of another device of the sender's node.
[[nodiscard]] constexpr bool keepsToRails(FlowShape shape) {
  return shape == FlowShape::RailExchange || shape == FlowShape::RailSpread;
}
/// The shape with equal messages that leave the node by their sender's NIC.
[[nodiscard]] constexpr FlowShape withoutRails(FlowShape shape) {
  if (shape == FlowShape::RailExchange) return FlowShape::Exchange;
  return shape == FlowShape::RailSpread ? FlowShape::Spread : shape;
}
/// Whether messages go from device to device without rings or trees, as a library's sends and receives do.
[[nodiscard]] constexpr bool isDirect(FlowShape shape) {
  return withoutRails(shape) == FlowShape::Exchange || withoutRails(shape) == FlowShape::Spread;
}
/// Properties of a shape from which cost models, with different ways of counting latencies, derive the path along a
/// group and the dependent messages; for direct messages both.
[[nodiscard]] constexpr bool hasPath(FlowShape shape) { return usesChannels(shape) || isDirect(shape); }
[[nodiscard]] constexpr bool hasHops(FlowShape shape) { return !usesChannels(shape) || isDirect(shape); }

/// The data that a collective makes from the holdings of a group's members.
enum class Makes {
  Sum,       ///< the sum of all members, chunk by chunk
  Pieces,    ///< the members' chunks together; no chunk is held by two of them
  RootCopy,  ///< a copy of the root's data
};
/// The members that receive the result. All other holdings of the group are replaced.
enum class Leaves {
  Everywhere,  ///< at every member
  AtRoot,      ///< at the root alone; the others hold nothing
  Scattered,   ///< the i-th block of chunks at the i-th member
};

/// Everything that distinguishes one collective from another: its names, its rule (paper §3.2, Fig. 8) and how it sends
/// (cost model §2). The rule is data: firstFailing() and effectOf() in holding_rule.h apply it to bit matrices, to
/// compact states, to chunk sets and to the buffers of a plan.
struct CollectiveTraits {
  std::string_view name;       ///< "ReduceScatter"
  std::string_view shortName;  ///< "RS"

  std::span<const Premise> premises;  ///< in the order in which they are checked
  Makes makes = Makes::Sum;
  Leaves leaves = Leaves::Everywhere;
  std::string_view effect;  ///< the state afterwards as a sentence
  /// Whether the rule set `paper` lets it be performed by masters (paper §3.5).
  bool forMasters = true;

  FlowShape shape = FlowShape::Ring;
  std::optional<FlowShape> treeShape = {};  ///< under the algorithm `tree`, if that is another
  /// Rounds of the vector over a ring of n, each in n − 1 dependent hops of 1/n of it.
  int rounds = 1;
  /// Contributions to a chunk are not summed but kept as separate blocks: chunk = (destination, source). The fewer
  /// chunks a device holds, the more blocks each has, so a step always works on the whole vector.
  bool keepsApart = false;

  /// Each member ends with a different part of the group's data.
  [[nodiscard]] constexpr bool scatters() const { return leaves == Leaves::Scattered; }
  /// The first member's role differs from the other members' roles.
  [[nodiscard]] constexpr bool rooted() const { return makes == Makes::RootCopy || leaves == Leaves::AtRoot; }
  /// The vector of a step is a member's data after the step, not before it.
  [[nodiscard]] constexpr bool worksOnResult() const { return makes == Makes::Pieces; }
};

/// The one description of a collective. A new one is a row of its table, and the compiler asks for it.
[[nodiscard]] const CollectiveTraits& traitsOf(Collective collective);

/// Bytes on each flow of weight 1, per byte of the working vector: 2(n−1)/n for a ring AllReduce.
[[nodiscard]] double flowFactor(Collective collective, FlowShape shape, std::int64_t members);

}  // namespace p2::inline collective
