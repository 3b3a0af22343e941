// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cost/detail/library_view.h"

namespace p2::inline cost {

/// The figures of the nccl model that are no system's. Times in seconds; shares of the nominal bandwidth; multiples of
/// the latencies that a system says.
enum class NcclConstant : std::size_t {
  // Share of the nominal bandwidth that a ring reaches inside a node, by generation; over a mesh; over PCIe; between
  // nodes.
  RingShareFirst,
  MeshShare = RingShareFirst + kGenerationCount,
  HostShare,
  HostChainShare,    ///< share of a chain, relative to the ring: PCIe is slower when it sends and receives at once
  HostBothWays,      ///< bytes/s that a device on PCIe 4 sends to another node while it receives as much
  AcrossShareFirst,  ///< by kind of network
  AcrossShareRoot = AcrossShareFirst + kNetworkKindCount,  ///< of A100s on Slingshot: to a NIC through the processor
  AcrossShareHost,                                         ///< AcrossShare for devices on PCIe or host memory
  // Share of a ring's bandwidth that a tree reaches inside a node, and bytes/s of one NIC between two nodes, by
  // generation.
  TreeShare,
  TreePairBandwidthFirst,
  MulticastShareHopper = TreePairBandwidthFirst + kGenerationCount,
  MulticastShareBlackwell,
  MulticastTreeAcross,  ///< multicast and tree between more than two nodes, relative to a ring there
  TreeAcross,           ///< a tree between more than two nodes, relative to a ring there
  TreeChannel,          ///< a tree's channel between more than two nodes, relative to NCCL's figure
  CongestionFirst,      ///< exponent of the loss of bandwidth between more than 2 nodes, by kind of network
  SlingshotTreeLL = CongestionFirst + kNetworkKindCount,  ///< share of a tree's LL over Slingshot
  SlingshotRingLL,                                        ///< share of a ring's LL there
  AllToAllInsideShare,
  AllToAllAcrossShare,
  AllToAllSharedShare,  ///< relative to AllToAllAcrossShare where devices share NICs
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
  RingHopLL,  ///< a ring's hop between nodes, of a tree's: its steps follow each other without a new start
  RingHopLL128,
  RingHopSimple,
  RingHopSlingshot,        ///< factor for LL and LL128 over Slingshot
  RingHopSlingshotSimple,  ///< factor for Simple over Slingshot
  LongMessage,             ///< over Slingshot a long message's latency more, of a short one's: it waits for a request
  LongStart,               ///< bytes of a vector from which its messages are long
  TreeFill,                ///< share of a chunk for which a tree's hop waits before it sends on
  TreeFillSlingshot,       ///< factor over Slingshot
  TreeChunk,               ///< bytes that a NIC receives before they are sent on, at most
  HopScaleFirst,           ///< of hops inside a node, by generation
  HopScaleHost = HopScaleFirst + kGenerationCount,  ///< over PCIe or host memory, relative to the generation
  // Seconds before anything moves.
  BaseLL,
  BaseLL128,
  BaseSimple,
  BaseMulticast,
  BaseMulticastTree,
  BaseAllToAll,
  BaseChain,
  StartRccl,    ///< factor on NCCL's starts for AMD's library
  HopRccl,      ///< factor on NCCL's hops between nodes for it
  ChainHops,    ///< hops inside a node that a chain waits for
  AllToAllHop,  ///< latency of an AllToAll's hop between nodes over the others': a message is asked for before it goes
  PeerInside,   ///< seconds for each peer of an exchange
  PeerAcross,
  // Medium sizes: time in addition to waiting and moving, see NcclModel.
  RampRingLL,
  RampRingLL128,
  RampRingSimple,
  RampTreeLL,
  RampTreeLL128,
  RampTreeSimple,
  RampChainLL,
  RampChainLL128,
  RampChainSimple,
  RampChainHost,  ///< a chain over PCIe or host memory, relative to NVLink
  RampMulticast,
  RampMulticastTree,
  RampAllToAll,
  RampOneWayInside,  ///< of ReduceScatter and AllGather, relative to the ring
  RampOneWayAcross,
  RampAcross,        ///< between nodes, times that inside one
  RampAcrossSimple,  ///< ramp between nodes under Simple
  RampSlingshot,     ///< in addition to either over Slingshot, where long messages wait for a request
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

/// The constant of a kind of network, from the first of a list.
[[nodiscard]] constexpr NcclConstant constantOf(NcclConstant first, NetworkKind network) {
  return static_cast<NcclConstant>(static_cast<std::size_t>(first) + static_cast<std::size_t>(network));
}

struct NcclConstants {
  struct Entry {
    std::string key;    ///< "hop inside a node, LL"
    double value = 0;   ///< fitted
    double prior = 0;   ///< prior of fits, and their starting value
    double spread = 0;  ///< by which the logarithm of the value may well differ on another system
  };
  std::array<double, kNcclConstants> values{};
  [[nodiscard]] double operator[](NcclConstant constant) const { return values[static_cast<std::size_t>(constant)]; }
  /// The constant of a generation, from the first of a list.
  [[nodiscard]] double of(NcclConstant first, Generation generation) const {
    return values[static_cast<std::size_t>(first) + static_cast<std::size_t>(generation)];
  }
  /// The constant of a kind of network.
  [[nodiscard]] double of(NcclConstant first, NetworkKind network) const {
    return values[static_cast<std::size_t>(first) + static_cast<std::size_t>(network)];
  }
};

/// resources/nccl/constants.json, which is compiled in.
[[nodiscard]] const NcclConstants& ncclConstants();
/// Prior value: from NCCL's tuning tables where available.
[[nodiscard]] const NcclConstants& ncclPriors();
/// Their names and spreads, in the order of NcclConstant.
[[nodiscard]] const std::vector<NcclConstants::Entry>& ncclConstantTable();

}  // namespace p2::inline cost
