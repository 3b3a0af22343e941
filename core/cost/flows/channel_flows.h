// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "cost/flows/flows.h"

namespace p2::inline cost {

/// A group cut into runs of devices of one node, in device order.
[[nodiscard]] std::vector<DeviceGroup> nodesOfGroup(const DeviceGroup& group, std::int64_t nodeDevices);
/// Their number.
[[nodiscard]] std::int64_t nodeCountOf(const DeviceGroup& group, std::int64_t nodeDevices);

/// Weights of the flows of one group from every local member to the next inside its node, per direction;
/// `local` members in each of `nodes` nodes. The vector is split over as many rings or trees as there are local
/// members, each leaving the node at another one, so that a rail carries its share only.
struct ChannelWeights {
  double loop = 0;        ///< from a local member to the next, the last to the first
  bool bothWays = false;  ///< and back
  double ring = 0;        ///< load of all local members together, from a node to the next, the last to the first
  double treeEdge = 0;    ///< load of an edge of the double binary tree of nodes, each way
};
[[nodiscard]] ChannelWeights channelWeights(FlowShape shape, std::int64_t local, std::int64_t nodes);

/// The flows of a group under one of the shapes that use channels. Rings alternate: they ascend through the members of
/// a node and descend through the next one's, so they enter a node on the rail on which they left the previous one;
/// with an odd number of nodes the last hop changes rails. O(members); over a mesh and in Exchange O(members²).
[[nodiscard]] std::vector<Flow> channelFlows(FlowShape shape, const DeviceGroup& group, const LibraryView& machine);

/// Largest number of messages of an AllToAll on a system that is not uniform, does not repeat from node to node
/// (repeatsByNode()) and is no torus, where each takes a route of its own.
inline constexpr std::int64_t kMostMessages = std::int64_t{1} << 24;
/// Errors: an AllToAll in groups of this many members, all devices taking part, has more messages than can be routed.
[[nodiscard]] Result<void> checkAllToAll(const System& system, std::int64_t members);

/// O(members · route length).
[[nodiscard]] ChannelPath channelPath(const DeviceGroup& group, const LibraryView& machine, const Topology& topology);

}  // namespace p2::inline cost
