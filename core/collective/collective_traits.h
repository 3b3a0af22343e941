// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collective/collective.h"
#include "collective/device_state.h"
#include "collective/premise.h"

namespace p2 {

/// The shapes in which the members of a group, in order, send to each other.
enum class FlowShape {
  Ring,           ///< everybody to the next, the last to the first
  ChainToRoot,    ///< everybody's to the first, in the ring backwards
  ChainFromRoot,  ///< the first's to everybody, in the ring
  Tree,           ///< chains inside nodes and a double binary tree between their first members, both ways
  Spread,         ///< from the first straight to everybody, another part each
  // Over channels, which leave a node at every local member in turn; cost/channel_flows.h draws them.
  RailRing,       ///< rings round the local members and from node to node
  RailTree,       ///< chains over the local members and double binary trees of nodes, both ways
  Multicast,      ///< inside one node, through switches that add up and copy
  MulticastTree,  ///< the same, and double binary trees of nodes
  MulticastRing,  ///< the same, and networks that add up
  Exchange,       ///< everybody to everybody
};
inline constexpr std::size_t kFlowShapes = 11;
/// Whether a shape is one of those over channels.
[[nodiscard]] constexpr bool usesChannels(FlowShape shape) { return shape >= FlowShape::RailRing; }

/// Whether one member has the whole vector before or after, and the others pass it on.
[[nodiscard]] constexpr bool isChain(FlowShape shape) {
  return shape == FlowShape::ChainToRoot || shape == FlowShape::ChainFromRoot;
}
/// Whether messages go straight from device to device, as a library's sends and receives do.
[[nodiscard]] constexpr bool isDirect(FlowShape shape) {
  return shape == FlowShape::Exchange || shape == FlowShape::Spread;
}
/// What is worked out of a shape for cost models, whose ways of counting latencies differ: the path along a group, and
/// the messages that wait for one another. Of direct messages both.
[[nodiscard]] constexpr bool hasPath(FlowShape shape) { return usesChannels(shape) || isDirect(shape); }
[[nodiscard]] constexpr bool hasHops(FlowShape shape) { return !usesChannels(shape) || isDirect(shape); }

/// The states of a group's members, in group order, the first being the root.
using MemberStates = std::vector<const DeviceState*>;

/// Everything that tells one collective from another: its names, its rule on bit matrices (paper §3.2, Fig. 8) and how
/// it sends (cost model §2).
struct CollectiveTraits {
  std::string_view name;       ///< "ReduceScatter"
  std::string_view shortName;  ///< "RS"

  std::span<const Premise> premises;  ///< in the order in which they are tried
  std::string_view effect;            ///< what holds afterwards, in words
  /// Every member's state afterwards; asked only when all premises hold.
  std::vector<DeviceState> (*after)(const MemberStates& members);
  /// Whether the rule set `paper` lets it be performed by masters (paper §3.5).
  bool forMasters = true;

  FlowShape shape = FlowShape::Ring;
  std::optional<FlowShape> treeShape = {};  ///< under the algorithm `tree`, if that is another
  /// How often the vector goes round a ring of n, each time in n − 1 dependent hops of 1/n of it each.
  int rounds = 1;
  /// The vector that a step works on is what a member holds after the step rather than before it.
  bool worksOnResult = false;
  /// Each member ends with another part of what they hold together.
  bool dealsOut = false;
  /// The first member's part is not the others'.
  bool rooted = false;
  /// Contributions to a chunk are not summed but lie side by side, a block each: chunk = (destination, source). The
  /// fewer chunks a device holds, the more blocks there are of each, so that a step always works on the whole vector.
  bool keepsApart = false;
};

/// The one description of a collective. A new one is a row of its table, and the compiler asks for it.
[[nodiscard]] const CollectiveTraits& traitsOf(Collective collective);

/// Bytes on each flow of weight 1, per byte of the working vector: 2(n−1)/n for a ring AllReduce.
[[nodiscard]] double flowFactor(Collective collective, FlowShape shape, std::int64_t members);

}  // namespace p2
