// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.h"

namespace p2::runner {

/// One step of a program as one rank takes part in it. A rank keeps the chunks it holds side by side, in ascending
/// order of their numbers, so that most steps need no copying. The blocks that an AllToAll keeps apart lie in ascending
/// order of their chunk (destination), those of one chunk in that of their source's place in the reduction group.
struct RankStep {
  Collective collective = Collective::AllReduce;
  int group = -1;  ///< number of its group among the step's; −1 when it looks on
  int key = 0;     ///< its place in the communicator; see GatherOrder
  int members = 1;
  int root = 0;                   ///< place of the group's first device, for Reduce, Broadcast and Scatter
  std::int64_t chunksBefore = 0;  ///< held: as many chunks' room is taken; of an AllToAll as many blocks'
  std::int64_t chunksAfter = 0;
  /// Of an AllGather or AllToAll whose pieces interleave: place that the i-th chunk or block that came takes. Empty
  /// when they come in order.
  std::vector<std::int64_t> places;
  friend bool operator==(const RankStep&, const RankStep&) = default;
};

/// In which order the ranks of an AllGather are joined.
enum class GatherOrder {
  Chunks,   ///< by the chunks they hold, so that most pieces come in order: for a library that lays its rings by itself
  Devices,  ///< as in the group, so that a ring in the order of ranks follows the hardware; pieces are put in order
            ///< after
};

/// What one rank does to run a plan; rank numbers are device numbers.
struct Schedule {
  std::int64_t chunks = 1;        ///< that every vector is cut into
  std::vector<int> contributors;  ///< ranks whose vectors it ends up with the sum of
  ChunkSet first;                 ///< chunks that it begins with
  bool beginsSummed = false;      ///< with the contributors' sum rather than with data of its own
  ChunkSet last;                  ///< chunks that it ends with; nothing where the goal leaves it nothing
  bool keepsApart = false;        ///< with a block of each contributor, in their order, rather than with the sum
  std::vector<RankStep> steps;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// Reads one rank's part of a plan that verify() finds right. O(steps · devices).
[[nodiscard]] Schedule scheduleOf(const Plan& plan, int rank, GatherOrder order);

}  // namespace p2::runner
