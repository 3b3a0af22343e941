// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "synthesis/chunk_set.h"
#include "synthesis/detail/compact_state.h"

namespace p2::inline synthesis {

/// The chunks a device of this class holds: `digits` are its digits on the levels, of the given sizes, k = ∏ sizes the
/// number of chunks. As many ranges as the gathered levels leave, at most the product of their sizes.
[[nodiscard]] ChunkSet chunksOf(const ClassState& state, const std::vector<std::int64_t>& sizes,
                                const std::vector<std::int64_t>& digits);

}  // namespace p2::inline synthesis
