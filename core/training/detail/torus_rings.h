// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: collectives on a torus as compilers run them.
#pragma once

#include <optional>

#include "base/device.h"
#include "system/topology.h"

namespace p2::inline training {

/// Seconds per byte of an AllGather or ReduceScatter of a group on a torus, while all equal groups do the same. Every
/// ring that the group spans carries a part of the vector, in both directions where the group closes the ring, as in
/// XLA's collectives on TPUs (jax-ml/scaling-book, "How to Think About TPUs" and "Sharding": V / (W · axes), W of both
/// directions). The vector is cut by the bandwidths of the rings, and each part goes along its slowest ring first,
/// where it is small. No value unless the members are the product of evenly spaced places on the rings. Latencies are
/// not counted. O(members · networks).
[[nodiscard]] std::optional<double> torusGatherSeconds(const Topology& topology, const TorusRoutes& torus,
                                                       const DeviceGroup& group);

}  // namespace p2::inline training
