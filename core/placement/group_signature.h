// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "placement/parallelism_matrix.h"
#include "system/topology.h"

namespace p2::inline placement {

/// Axes of a matrix as bits: bit 0 is its first row.
using AxisSet = std::uint32_t;

/// Key of the price of a collective over the groups of these axes: groups with equal signatures cost the same. For
/// every level it has the factors of the axes with their strides (none below a plain switch, where all devices are
/// equally far apart) and their product. Replicated axes, over which a result is not scattered, differ from the others;
/// without any, adjacent axes count as one. O(rows × columns).
[[nodiscard]] std::vector<std::int64_t> groupSignature(const Topology& topology, const ParallelismMatrix& matrix,
                                                       AxisSet axes, AxisSet replicated = 0);

}  // namespace p2::inline placement
