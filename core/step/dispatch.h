// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "synthesis/synthesis_hierarchy.h"
#include "system/topology.h"
#include "workload/workload.h"

namespace p2::inline step {

/// Expected number of nodes, out of nodes with equal numbers of experts, that hold the experts of a token, for
/// uniformly chosen experts: N (1 − C(E − E/N, k) / C(E, k)) (N nodes, E experts, k per token). If a token may use only
/// M of G groups of experts, groups are chosen uniformly first, then experts within them. Groups are contiguous, so a
/// node may have several, or part of one. O((nodes + groups) · experts of a token) at most, and one node's part of it
/// if the number of nodes divides the number of groups.
[[nodiscard]] double expectedNodes(const ExpertRouting& routing, std::int64_t nodes);

/// Bytes of a token's device that an AllToAll between nodes has to carry so that every node that has some of a token's
/// experts gets it once: of `bytes`, in which it counts once for every expert. A device sends (nodes − 1)/nodes of
/// that.
[[nodiscard]] double deduplicatedBytes(double bytes, const ExpertRouting& routing, std::int64_t nodes);

/// The AllToAlls by which a token reaches its experts where every node gets it once: over the rail of its sender, then
/// inside the nodes. The second is absent where a group has one member in each node.
struct DispatchExchanges {
  GroupPattern rails;
  std::optional<GroupPattern> inside;
};
/// None where each group is in one node. O(levels).
[[nodiscard]] std::optional<DispatchExchanges> dispatchExchanges(const Topology& topology,
                                                                 const SynthesisHierarchy& hierarchy);

}  // namespace p2::inline step
