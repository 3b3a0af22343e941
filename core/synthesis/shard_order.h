// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "synthesis/program_trace.h"

namespace p2 {

/// In which order a complete program leaves the parts of a vector; nothing for goals that neither deal out nor gather,
/// for programs that do not reach their goal, and for hierarchies other than ReductionAxes.
///
/// Of a goal that deals out (ReduceScatter, Scatter, AllToAll): the chunk that each member of a reduction group ends
/// with, the members in order; where the result has replicas, the chunks of one of each, shard after shard.
/// "0,2,4,1,3,5" over levels 2·3, the inner one first. Chunks are interchangeable, so the order is one to choose:
/// dealing out from the inside sends least over what is slow. Whoever wants member i to have chunk i puts the blocks of
/// the vector in the inverse order beforehand.
///
/// Of a goal that gathers (AllGather): the member whose chunk lies at each place of the vector, if every step puts the
/// pieces side by side in the order of its group, as libraries do.
///
/// Either is a copy of the whole vector on every device (localCopySeconds()) unless it is in order. In a program for
/// AllReduce, or a ReduceScatter and an AllGather that take the levels in opposite orders, the two cancel: what one
/// deals out in some order the other gathers from it. So nothing of this is seen there, and nothing is to be copied.
/// O(members · levels).
[[nodiscard]] std::optional<std::vector<std::int64_t>> shardOrder(const ProgramTrace& trace);

/// Whether every part lies at its own place.
[[nodiscard]] bool isInOrder(const std::vector<std::int64_t>& order);
/// "0,2,4,1,3,5"; of more than `most` parts those and "…".
[[nodiscard]] std::string shardOrderText(const std::vector<std::int64_t>& order, std::size_t most = 32);

}  // namespace p2
