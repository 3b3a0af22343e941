// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.h"

namespace p2::runner {

/// One rank's part in one step of a program. A rank keeps its chunks side by side, in ascending
/// order of their numbers, so that most steps need no copying. The blocks that an AllToAll keeps apart are in ascending
/// order of their chunk (destination), within a chunk in the order of their source's place in the reduction group.
struct RankStep {
  Collective collective = Collective::AllReduce;
  int group = -1;  ///< number of its group among the step's; −1 when it takes no part
  int key = 0;     ///< its place in the communicator; see GatherOrder
  int members = 1;
  int root = 0;                   ///< place of the group's first device, for Reduce, Broadcast and Scatter
  std::int64_t chunksBefore = 0;  ///< held: as many chunks' room is taken; for an AllToAll as many blocks'
  std::int64_t chunksAfter = 0;
  /// The place of the i-th chunk or block received, for an AllGather or AllToAll whose pieces interleave. Empty if they
  /// come in order.
  std::vector<std::int64_t> places;
  friend bool operator==(const RankStep&, const RankStep&) = default;
};

/// The order of the ranks of an AllGather in its communicator.
enum class GatherOrder {
  Chunks,   ///< by the chunks they hold, so that most pieces come in order: for a library that chooses its rings itself
  Devices,  ///< as in the group, so that a ring in the order of ranks follows the hardware; pieces are put in order
            ///< after
};

/// The work of one rank in a plan; rank numbers are device numbers.
struct Schedule {
  std::int64_t chunks = 1;        ///< that every vector is cut into
  std::vector<int> contributors;  ///< ranks whose vectors are in its final sum
  ChunkSet first;                 ///< chunks that it begins with
  bool beginsSummed = false;      ///< whether it begins with the contributors' sum instead of its own data
  ChunkSet last;                  ///< chunks that it ends with; empty where the goal leaves it none
  bool keepsApart = false;        ///< with a block of each contributor, in their order, rather than with the sum
  std::vector<RankStep> steps;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// The part of one rank in a plan that passes verify(). O(steps · devices).
[[nodiscard]] Schedule scheduleOf(const Plan& plan, int rank, GatherOrder order);

}  // namespace p2::runner
