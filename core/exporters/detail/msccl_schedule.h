// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace p2::inline exporters {

/// Largest number of ranks, steps of one threadblock, chunks of one step and channels that an MSCCL algorithm is
/// written for. All but the first are microsoft/msccl's own; RCCL takes 64 steps.
inline constexpr std::size_t kMostMscclRanks = 1024;
inline constexpr std::size_t kMostMscclSteps = 256;
inline constexpr std::int64_t kMostMscclCount = 71;
inline constexpr std::size_t kMostMscclChannels = 32;
/// MSCCL counts chunks of a buffer in 16 bits.
inline constexpr std::int64_t kMostMscclChunks = 32767;

/// The buffer of chunks: the input (i), the output (o) or the scratch buffer (s).
struct MscclPlace {
  char buffer = 'i';
  std::int64_t offset = -1;
};

/// A step of a threadblock. A send goes from `from` to `to` of the receiver; a receive goes to `to`,
/// summed with the data at `from`.
struct MscclStep {
  std::string_view type;  ///< MSCCL's: s, r, rcs, rrs, rrc, rrcs, cpy or nop
  MscclPlace from = {};
  MscclPlace to = {};
  std::int64_t count = 0;
  int block = -1;        ///< a step of another threadblock that has to be done first, if there is one
  int step = -1;         ///< its index in that threadblock; −1 for none
  bool awaited = false;  ///< whether another threadblock waits for this step
};

/// Threadblock of one rank: on its channel it alone sends to `send` and receives from `receive`.
struct MscclBlock {
  std::size_t channel = 0;
  std::int64_t send = -1;
  std::int64_t receive = -1;
  std::vector<MscclStep> steps;
};

/// The operations of every rank of a communicator on a vector of `chunks` equal chunks.
struct MscclSchedule {
  std::string collective;  ///< MSCCL's name of the goal: "allreduce"
  std::int64_t chunks = 1;
  std::int64_t input = 1;    ///< chunks of the input buffer
  std::int64_t output = 1;   ///< chunks of the output buffer
  std::int64_t scratch = 0;  ///< chunks of the scratch buffer
  std::size_t channels = 1;
  std::vector<std::vector<MscclBlock>> ranks;
};

/// An AllReduce works in its one buffer. Other goals work in the scratch buffer, to which every rank first copies
/// its input, and from which it last copies its output, so that no input is overwritten; where parts of a sum end up
/// in another order than the ranks', these copies put them right.
///
/// The plan's steps on the first of its reduction groups, whose devices are the ranks in ascending order; the other
/// groups do the same. ReduceScatter, AllGather and AllReduce go round the ring of each group, as many pieces at once
/// as there are members; Reduce and Broadcast go along chains, half the data each way round, and the parts of a Scatter
/// are handed on, the farthest first. Blocks of an AllToAll go straight to where the step takes them, a threadblock for
/// every distance round the ring. A channel is one set of
/// rings, so that a rank has one threadblock for each; in the first step of a threadblock after others it waits for
/// these, so that a rank does its steps in turn and no two can wait for each other.
/// Errors: more than the limits above.
[[nodiscard]] Result<MscclSchedule> mscclSchedule(const Plan& plan);

}  // namespace p2::inline exporters
