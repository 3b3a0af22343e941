// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/nccl/nccl_channels.h"

#include <algorithm>
#include <cmath>

#include "cost/flows/channel_flows.h"
#include "cost/nccl/detail/nccl_kinds.h"
#include "cost/nccl/detail/nccl_tuner.h"

namespace p2::inline cost {
namespace {

constexpr std::int64_t kMostChannels = 64;  // MAXCHANNELS

bool isRecent(Generation generation) { return generation == Generation::Hopper || generation == Generation::Blackwell; }

/// Channels of the communicator's rings and trees.
std::int64_t ringChannels(const LibraryView& machine, const TunerGraph& graph, std::int64_t nodes) {
  constexpr double kFastChannel = 45;
  constexpr std::int64_t kFewChannels = 16;
  auto channels = std::min(kMostChannels, 2 * static_cast<std::int64_t>(graph.channels));
  if (isRecent(machine.generation) && nodes > 1 && graph.each > kFastChannel && channels < kFewChannels) channels *= 2;
  return channels;
}

/// NVLS_NCHANNELS of src/transport/nvls.cc.
std::int64_t multicastChannels(const LibraryView& machine, std::int64_t nodes) {
  if (machine.generation != Generation::Blackwell) return 16;
  return nodes > 1 ? 32 : 24;
}

/// Threads of a channel times the bytes that a thread is worth.
double bytesOfChannel(Algorithm algorithm, Protocol protocol, const TunerGraph& graph, std::int64_t members) {
  constexpr double kSlowRings = 12;  // GB/s
  const bool isRing = algorithm != Algorithm::Tree;
  switch (protocol) {
    case Protocol::LL:
      return 512 * 8 * (isRing ? static_cast<double>(members) : 1);
    case Protocol::LL128:
      return 640 * 8;
    case Protocol::Simple:
    case Protocol::None:
      break;
  }
  return 64 * (isRing && graph.channels * graph.each <= kSlowRings ? 256 : 512);
}

}  // namespace

std::int64_t NcclChannels::at(std::uint64_t bytes) const {
  if (bytesEach <= 0) return most;
  const double worth = std::floor(static_cast<double>(bytes) / bytesEach);
  return worth >= static_cast<double>(most) ? most : std::max<std::int64_t>(1, static_cast<std::int64_t>(worth));
}

std::uint64_t NcclChannels::leastBytes(std::int64_t channels) const {
  return static_cast<std::uint64_t>(static_cast<double>(channels) * bytesEach);
}

NcclChannels ncclChannels(const Topology& topology, const DeviceGroup& group, Algorithm algorithm, Protocol protocol) {
  const LibraryView machine = libraryViewOf(topology);
  if (isAmd(machine.generation)) return {};
  const auto members = static_cast<std::int64_t>(group.size());
  const std::int64_t nodes = nodeCountOf(group, machine.nodeDevices);
  const TunerGraph graph = tunerGraph(machine, nodes, members / nodes);
  if (isMulticast(algorithm)) return {multicastChannels(machine, nodes), 0};
  const std::int64_t channels = ringChannels(machine, graph, nodes);
  // PAT keeps all channels; CollNet's own rule also needs the heads of its switch.
  if (algorithm == Algorithm::Pat || algorithm == Algorithm::CollNet) return {channels, 0};
  return {channels, bytesOfChannel(algorithm, protocol, graph, members)};
}

}  // namespace p2::inline cost
