// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "cost/traffic.h"

namespace p2::inline cost {

/// What NCCL's search for rings and trees finds on the nodes of a communicator.
struct TunerGraph {
  double channels = 1;  ///< before NCCL doubles them
  double each = 1;      ///< GB/s of a ring's channel
  double treeEach = 1;  ///< GB/s of a tree's channel, up to two nodes
};
/// `local` devices on each of `nodes` nodes. O(1).
[[nodiscard]] TunerGraph tunerGraph(const LibraryView& machine, std::int64_t nodes, std::int64_t local);

/// Seconds that NCCL's own tuner expects of a communicator, by the figures of the library's version
/// (resources/nccl/tuner.json, read from src/graph/tuning.cc) and the channels that its search finds on such nodes: the
/// library runs the least of these. Infinity for LL128 where it has no way between nodes. O(1).
[[nodiscard]] double tunerSeconds(const Traffic& traffic, Bytes bytes, Protocol protocol);

/// The library's choice for a communicator with an algorithm at a size, looked up at powers of two; estimates within
/// 10 % of the least are choices too. There is no such choice for AllToAll and Scatter, over EFA, whose plugin chooses,
/// and on AMD's GPUs: there everything may run. O(1) but for the first question about a communicator.
class TunerChoices {
 public:
  TunerChoices(const Traffic& traffic, Bytes bytes);
  /// Whether the library takes the algorithm of the traffic with that protocol.
  [[nodiscard]] bool takes(Protocol protocol) const;
  /// Whether it takes the protocol where it runs the algorithm, as when that is forced.
  [[nodiscard]] bool mayTake(Protocol protocol) const;
  [[nodiscard]] bool canRun(Protocol protocol) const;

 private:
  Algorithm m_algorithm;
  bool m_hasTuner = false;
  std::uint32_t m_any = 0;
  std::uint32_t m_each = 0;
  std::uint32_t m_runnable = 0;
};

/// Bytes/s of a tree between more than two nodes, at most, over all channels of a device's node. O(1).
[[nodiscard]] double mostOfTree(const LibraryView& machine, std::int64_t local);

}  // namespace p2::inline cost
