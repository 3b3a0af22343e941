// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/importers.
#pragma once

#include <vector>

namespace p2::inline importers {

/// Number of links between each two of some GPUs; symmetric.
using LinkMatrix = std::vector<std::vector<int>>;

/// Most GPUs whose rings are searched for, as in NCCL.
inline constexpr std::size_t kMostRingGpus = 16;

/// Rings through all GPUs that share no link, as many as are found; every link can be in one ring, and pairs with
/// several links in several. They are as many as any GPU's links allow, if the search finds them in its time (some
/// milliseconds). None for fewer than 3 or more than 16 GPUs.
[[nodiscard]] std::vector<std::vector<std::size_t>> disjointRings(LinkMatrix links);

/// A ring through all GPUs in which the GPUs of a block are adjacent, in every one of the divisions into blocks
/// (blocks by GPU; outermost division first); the first in the order of the GPUs. Empty when there is none.
[[nodiscard]] std::vector<std::size_t> ringInBlocks(const LinkMatrix& links,
                                                    const std::vector<std::vector<int>>& divisions);

}  // namespace p2::inline importers
