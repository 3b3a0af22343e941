// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cost/library_view.h"

namespace p2 {

/// The figures of the nccl model that are no system's. Times in seconds; shares of the nominal bandwidth; multiples of
/// the latencies that a system says.
enum class NcclConstant : std::size_t {
  // What a ring gets of the nominal bandwidth inside a node, by generation; over a mesh; over PCIe; between nodes.
  RingShareFirst,
  MeshShare = RingShareFirst + kGenerationCount,
  HostShare,
  HostChainShare,    ///< of a chain, times that of the ring: PCIe that both sends and receives is slower
  HostBothWays,      ///< bytes/s that a device on PCIe 4 sends to another node while it receives as much
  AcrossShareFirst,  ///< by kind of network
  AcrossShareRoot = AcrossShareFirst + kNetworkKindCount,  ///< of A100s on Slingshot: to a NIC through the processor
  AcrossShareHost,                                         ///< the same of devices on PCIe or host memory
  // What a tree gets of a ring's bandwidth inside a node, and bytes/s of one NIC between two nodes, by generation.
  TreeShare,
  TreePairBandwidthFirst,
  MulticastShareHopper = TreePairBandwidthFirst + kGenerationCount,
  MulticastShareBlackwell,
  ExchangeInsideShare,
  ExchangeAcrossShare,
  ChainShare,
  ShareLL,
  ShareLL128,
  MostLL,  ///< bytes/s of a device on one node of Ampere, see shareOfMostLL()
  // Multiples of a hop's latency inside a node; between nodes the same, and seconds more for each hop.
  InsideLL,
  InsideLL128,
  InsideSimple,
  AcrossHop,
  AcrossLL,
  AcrossLL128,
  AcrossSimple,
  LongMessage,    ///< over networks that send only short messages at once, a long one's latency more, of a short one's
  HopScaleFirst,  ///< of hops inside a node, by generation
  HopScaleHost = HopScaleFirst + kGenerationCount,  ///< over PCIe or host memory, times that of the generation
  // Seconds before anything moves.
  BaseLL,
  BaseLL128,
  BaseSimple,
  BaseMulticast,
  BaseMulticastTree,
  BaseExchange,
  BaseChain,
  ChainHops,    ///< hops inside a node that a chain waits for
  ExchangeHop,  ///< of an exchange the hop between nodes, times that of others: a message is asked for before it goes
  PeerInside,   ///< seconds for each peer of an exchange
  PeerAcross,
  // The middle sizes: what is lost on top of waiting and moving, see NcclModel.
  RampRingLL,
  RampRingLL128,
  RampRingSimple,
  RampTreeLL,
  RampTreeLL128,
  RampTreeSimple,
  RampChainLL,
  RampChainLL128,
  RampChainSimple,
  RampMulticast,
  RampMulticastTree,
  RampExchange,
  RampOneWayInside,  ///< of ReduceScatter and AllGather, times that of the ring
  RampOneWayAcross,
  RampAcross,        ///< between nodes, times that inside one
  RampAcrossSimple,  ///< the same under Simple
  RampSlingshot,     ///< on top of either over Slingshot, where whatever is long waits until it is asked for
  RampEfa,           ///< on top of either, and of multicast and tree, over EFA, whose packets software puts in order
  RampAcrossHop,     ///< how much of a hop between nodes counts as waiting there
  RampChainHop,      ///< how much of a hop inside a node counts as waiting where a chain fills
  // How waiting and moving add up, see NcclModel.
  SumExponent,
  RampExponent,        ///< of waiting
  RampExponentInside,  ///< of moving inside a node; between nodes it counts as it is
  End
};
inline constexpr std::size_t kNcclConstants = static_cast<std::size_t>(NcclConstant::End);

struct NcclConstants {
  struct Entry {
    std::string key;    ///< "hop inside a node, LL"
    double value = 0;   ///< fitted
    double prior = 0;   ///< what one would say without measurements: where fits begin and are pulled to
    double spread = 0;  ///< by which the logarithm of the value may well differ on another system
  };
  std::array<double, kNcclConstants> values{};
  [[nodiscard]] double operator[](NcclConstant constant) const { return values[static_cast<std::size_t>(constant)]; }
  /// That of a generation, from the first of a list of them.
  [[nodiscard]] double of(NcclConstant first, Generation generation) const {
    return values[static_cast<std::size_t>(first) + static_cast<std::size_t>(generation)];
  }
  /// That of a kind of network.
  [[nodiscard]] double of(NcclConstant first, NetworkKind network) const {
    return values[static_cast<std::size_t>(first) + static_cast<std::size_t>(network)];
  }
};

/// resources/nccl/constants.json, which is compiled in.
[[nodiscard]] const NcclConstants& ncclConstants();
/// What one would say without measurements, NCCL's own tables where they have it.
[[nodiscard]] const NcclConstants& ncclPriors();
/// Their names and spreads, in the order of NcclConstant.
[[nodiscard]] const std::vector<NcclConstants::Entry>& ncclConstantTable();

}  // namespace p2
