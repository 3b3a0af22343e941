// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "plan/plan.h"

namespace p2::inline exporters {

/// Members of a group, in the order in which one sends to the next, as ranks of the communicator.
using MscclRing = std::vector<std::size_t>;

/// Messages around or along one ring: pieces of equally many chunks, as sets. A chain has one piece, and the
/// first of the ring is where it begins (Broadcast), the last where it ends (Reduce). An AllToAll has a piece for
/// every member, which it sends to the one `shift` places further on.
struct MscclRound {
  Collective collective = Collective::AllReduce;
  MscclRing ring;
  std::vector<ChunkSet> pieces;
  bool backwards = false;  ///< the other half of a chain's data, which takes the group's ring the other way round
  std::size_t reach = 0;   ///< members that a chain passes, the first included; 0 for all
  std::size_t shift = 0;   ///< for AllToAll: distance to the receiver
};

/// The rounds of each step of a plan, on buffers of this many chunks. For the goal AllToAll, k ranks have k² blocks;
/// the one from s to the rank that ends with chunk t being number t·k + s.
struct MscclRounds {
  std::int64_t chunks = 1;
  std::vector<std::vector<MscclRound>> steps;
  std::vector<ChunkSet> before;  ///< chunks that each rank holds at first
  std::vector<ChunkSet> after;   ///< chunks that each rank must hold at the end; empty where any will do
};

/// Cuts the steps of the plan's first reduction group into rounds. Chunks are as large as equal pieces allow.
/// Errors: no reduction group.
[[nodiscard]] Result<MscclRounds> mscclRounds(const Plan& plan);

}  // namespace p2::inline exporters
