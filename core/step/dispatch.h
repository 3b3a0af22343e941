// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workload/workload.h"

namespace p2 {

/// How many of that many nodes, with as many experts each, the experts of a token lie on, on average over experts that
/// are chosen evenly: N (1 − C(E − E/N, k) / C(E, k)) (of N nodes with E experts a token goes to k). Where a token may
/// go to ExpertRouting::mostNodes of the nodes only, those are chosen evenly first, and the experts among theirs.
[[nodiscard]] double expectedNodes(const ExpertRouting& routing, std::int64_t nodes);

/// Bytes of a token's device that an AllToAll between nodes has to carry so that every node that has some of a token's
/// experts gets it once: of `bytes`, in which it counts once for every expert. A device sends (nodes − 1)/nodes of
/// that.
[[nodiscard]] double deduplicatedBytes(double bytes, const ExpertRouting& routing, std::int64_t nodes);

}  // namespace p2
