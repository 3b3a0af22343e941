// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "synthesis/program_trace.h"

namespace p2::inline synthesis {

/// The order in which a complete program leaves the parts of a vector; none
/// for goals that neither scatter nor gather, for programs that do not reach
/// their goal, and for hierarchies other than ReductionAxes. For a goal that
/// scatters (ReduceScatter, Scatter, AllToAll): the final chunk of each member
/// of a reduction group, members in order; if the result has replicas, the
/// chunks of one of each, shard after shard. "0,2,4,1,3,5" over levels 2·3, the
/// inner one first. Chunks are interchangeable, so the order can be chosen:
/// scattering from the inside sends least over slow links. To give chunk i to
/// member i, put the blocks of the vector in the inverse order beforehand. For a
/// goal that gathers (AllGather): the member whose chunk is at each place of the
/// vector, if every step concatenates the pieces in the order of its group, as
/// libraries do. Correcting either order copies the whole vector on every device
/// (localCopySeconds()). In a program for AllReduce, or a ReduceScatter and an
/// AllGather that take the levels in opposite orders, the two cancel: the gather
/// restores the order of the scatter, and no copy is needed. O(members ·
/// levels).
[[nodiscard]] std::optional<std::vector<std::int64_t>> shardOrder(const ProgramTrace& trace);

/// Whether every part is at its own place.
[[nodiscard]] bool isInOrder(const std::vector<std::int64_t>& order);
/// "0,2,4,1,3,5"; of more than `most` parts those and "…".
[[nodiscard]] std::string shardOrderText(const std::vector<std::int64_t>& order, std::size_t most = 32);

}  // namespace p2::inline synthesis
