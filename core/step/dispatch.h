// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workload/workload.h"

namespace p2 {

/// How many of that many nodes, with as many experts each, the experts of a token lie on, on average over experts that
/// are chosen evenly: N (1 − C(E − E/N, k) / C(E, k)) (of N nodes with E experts a token goes to k). Where it may go to
/// M of G groups of experts only, those are chosen evenly first, and the experts among theirs. Groups lie one after the
/// other, so a node may have several, or a part of one. O((nodes + groups) · experts
/// of a token) at most, and one node's part of that where their number divides that of the groups.
[[nodiscard]] double expectedNodes(const ExpertRouting& routing, std::int64_t nodes);

/// Bytes of a token's device that an AllToAll between nodes has to carry so that every node that has some of a token's
/// experts gets it once: of `bytes`, in which it counts once for every expert. A device sends (nodes − 1)/nodes of
/// that.
[[nodiscard]] double deduplicatedBytes(double bytes, const ExpertRouting& routing, std::int64_t nodes);

}  // namespace p2
