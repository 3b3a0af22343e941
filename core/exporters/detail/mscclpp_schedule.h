// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/exporters.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace p2::inline exporters {

/// Largest number of operations and peers of a threadblock, and most pieces of one operation, in MSCCL++
/// (execution_common.hpp).
inline constexpr std::size_t kMostMscclppOperations = 64;
inline constexpr std::size_t kMostMscclppPeers = 16;
inline constexpr std::size_t kMostMscclppPieces = 8;

/// Chunks side by side in the input (i), output (o) or scratch (s) buffer of a rank.
struct MscclppPiece {
  char buffer = 'i';
  std::int64_t index = 0;
  std::int64_t size = 0;
  int peer = -1;  ///< the rank that has the buffer; −1 for the own one
  friend bool operator==(const MscclppPiece&, const MscclppPiece&) = default;
};

/// An operation of a threadblock: "nop" (all threads meet), "signal", "wait", "put", "pwsf" (put, signal and flush),
/// "re".
struct MscclppOperation {
  std::string name;
  std::vector<MscclppPiece> from = {};
  std::vector<MscclppPiece> to = {};
  std::vector<int> peers = {};  ///< of signal, wait and pwsf
  bool port = false;            ///< over the network instead of memory that both can reach
};

/// The operations of one rank.
struct MscclppRank {
  std::vector<MscclppOperation> operations;
  std::set<int> memoryPeers;
  std::set<int> portPeers;
};

struct MscclppSchedule {
  std::string collective;    ///< "allreduce", "allgather" or "reducescatter"
  char buffer = 'i';         ///< the buffer of the whole vector, which holds input and output
  std::int64_t input = 1;    ///< chunks of a rank's input
  std::int64_t output = 1;   ///< chunks of a rank's output
  std::int64_t scratch = 0;  ///< chunks that arrive to be summed
  std::vector<MscclppRank> ranks;
};

/// An AllReduce, ReduceScatter or AllGather program on the devices of the plan's first reduction group, in ascending
/// order as ranks; the other groups do the same. Chunks are renumbered so that every rank has its own part of a
/// scattered vector at its own place. Every step is one or two exchanges: the receivers signal that their buffers are
/// free, parts go straight to all members at once, and parts of a sum are added up where they arrive. Members of one
/// node reach each other's memory, others use the network. Errors: another goal, a step that it has no operations for,
/// parts that are not equal, more operations or peers than the limits.
[[nodiscard]] Result<MscclppSchedule> mscclppSchedule(const Plan& plan);

}  // namespace p2::inline exporters
