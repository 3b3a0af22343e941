// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/device.h"
#include "system/topology.h"

namespace p2::inline cost {

/// The rings of a group on a torus, as compilers use them: every ring that the group spans carries a part of the
/// vector, in both directions where the group closes the ring, as in XLA's collectives on TPUs (jax-ml/scaling-book,
/// "How to Think About TPUs" and "Sharding": V / (W · axes), W of both directions). The vector is cut by the bandwidths
/// of the rings, and each part goes along its slowest ring first, where it is small.
struct TorusRings {
  /// The places of the group in one network, evenly spaced.
  struct Line {
    std::size_t network = 0;
    std::int32_t members = 1;
    std::int32_t first = 0;   ///< place of its first member
    std::int32_t stride = 1;  ///< links from one member to the next; as many groups share the links
    bool closed = false;      ///< whether the members go round the ring
  };
  std::vector<Line> lines;  ///< with more than one member
  /// Seconds per byte of an AllGather or ReduceScatter while all equal groups do the same, without latencies.
  double gatherSeconds = 0;
};

/// No value unless the members are the product of evenly spaced places on the rings. O(members · networks).
[[nodiscard]] std::optional<TorusRings> torusRings(const Topology& topology, const TorusRoutes& torus,
                                                   const DeviceGroup& group);

}  // namespace p2::inline cost
