// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "base/device.h"
#include "cost/cost_options.h"
#include "system/topology.h"

namespace p2::inline cost {

/// Channels (thread blocks) that NCCL gives a collective. NCCL drops channels until each has enough bytes.
/// Source: topoGetAlgoInfo() in src/enqueue.cc and ncclTopoPostset() in src/graph/connect.cc of NCCL 2.30. The channels
/// that NCCL's search finds are derived from the system (detail/nccl_tuner.h), not read from a machine.
struct NcclChannels {
  std::int64_t most = 0;  ///< channels of the communicator for the algorithm; 0 where they are not known (RCCL)
  double bytesEach = 0;   ///< bytes that a channel is worth; 0 where every size takes all channels

  /// For the larger of the vectors that a rank sends and receives; 0 where channels are not known.
  [[nodiscard]] std::int64_t at(std::uint64_t bytes) const;
  /// The least bytes that take this many channels, at least 2 and at most `most`.
  [[nodiscard]] std::uint64_t leastBytes(std::int64_t channels) const;
};

/// The rule for the communicator of a group. O(members).
[[nodiscard]] NcclChannels ncclChannels(const Topology& topology, const DeviceGroup& group, Algorithm algorithm,
                                        Protocol protocol);

}  // namespace p2::inline cost
