// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting, ramps and shares of bandwidth: the terms from which NcclModel puts a price together.
#include <algorithm>
#include <bit>
#include <cmath>

#include "cost/nccl/detail/nccl_kinds.h"
#include "cost/nccl/detail/nccl_parts.h"
#include "cost/nccl/detail/nccl_tuner.h"
#include "cost/nccl/nccl_versions.h"

namespace p2::inline cost {
namespace {

using enum NcclConstant;

/// By protocol: the constant of LL, followed by LL128's and Simple's.
NcclConstant byProtocol(NcclConstant first, Protocol protocol) {
  return static_cast<NcclConstant>(static_cast<std::size_t>(first) + static_cast<std::size_t>(protocol) - 1);
}

/// Share of a ring's bandwidth that PAT reaches: NCCL's own figure since 2.24, since there is no public measurement.
constexpr double kPatShare = 0.75;

/// Bandwidth of multicast one way relative to an AllReduce, by NCCL's own figures: data is copied into and out of
/// buffers known to the switches.
double ofOneWayMulticast(std::int64_t members) {
  const double open = static_cast<double>(members - 1) / static_cast<double>(members);
  return open * open;
}

/// Members of the machines whose multicast was measured. A round of the kernel moves a chunk for every member, so that
/// more of them need longer vectors.
constexpr double kMulticastMembers = 8;

/// Most members of a node over which NCCL's multicast splits a vector (NCCL_MAX_NVLS_ARITY in
/// src/include/device.h, 32 from v2.21.5-1 to v2.30.7-1).
constexpr double kMostHeads = 32;

/// How much longer the kernel waits than among the members that were measured: each member keeps a connection to every
/// head, and all of them take part in every round.
double waitOfHeads(double members) { return std::max(1.0, std::min(members, kMostHeads) / kMulticastMembers); }

double doublings(std::int64_t nodes) {
  return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(nodes - 1)));
}

}  // namespace

/// Seconds of latencies between nodes, of messages that are parts of a vector of these bytes.
double NcclModel::acrossSeconds(const Traffic& traffic, double latency, Bytes bytes) const {
  const double rccl = isAmd(traffic.machine->generation) ? m_constants[HopRccl] : 1;
  const double seconds = rccl * m_constants[AcrossHop] * latency;
  if (traffic.machine->network != NetworkKind::Slingshot) return seconds;
  // A long message waits until the other side has asked for it.
  const double shorter = m_constants[LongStart] / bytes.value();
  return seconds * (1 + m_constants[LongMessage] / (1 + shorter * std::sqrt(shorter)));
}

/// A ring's hop between nodes, of a tree's.
double NcclModel::ringHop(const LibraryView& machine, Protocol protocol) const {
  const double hop = m_constants[byProtocol(RingHopLL, protocol)];
  if (machine.network != NetworkKind::Slingshot) return hop;
  return hop * m_constants[protocol == Protocol::Simple ? RingHopSlingshotSimple : RingHopSlingshot];
}

/// Seconds that a node of a tree waits for a chunk before it can send it on: the whole vector, up to a chunk.
double NcclModel::fill(const Traffic& traffic, const Moving& moving) const {
  if (moving.across <= 0) return 0;
  const double chunk = m_constants[TreeChunk] / moving.nic;
  const double slingshot = traffic.machine->network == NetworkKind::Slingshot ? m_constants[TreeFillSlingshot] : 1;
  return m_constants[TreeFill] * slingshot * moving.across * chunk / (moving.across + chunk);
}

/// The share of the bandwidth that remains between more than 2 nodes.
double NcclModel::congestion(const Traffic& traffic) const {
  constexpr double kWithout = 2;
  if (static_cast<double>(traffic.nodes) <= kWithout) return 1;
  const LibraryView& machine = *traffic.machine;
  const double exponent =
      machine.congestion >= 0 ? machine.congestion : m_constants.of(CongestionFirst, machine.network);
  return std::pow(static_cast<double>(traffic.nodes) / kWithout, -exponent);
}

NcclModel::Waiting NcclModel::waiting(const Traffic& traffic, Bytes bytes, const Moving& moving,
                                      Protocol protocol) const {
  const LibraryView& machine = *traffic.machine;
  const ChannelPath path = sitePathOf(traffic);
  const double hop = m_constants[byProtocol(InsideLL, protocol)] * m_constants.of(HopScaleFirst, machine.generation) *
                     (machine.hostLinked ? m_constants[HopScaleHost] : 1);
  const auto net = [&](double latency, double hops) {
    return acrossSeconds(traffic, latency, bytes) + hops * m_constants[byProtocol(AcrossLL, protocol)];
  };
  const double share = startShare(machine, traffic.algorithm, protocol);
  const double base =
      m_constants[byProtocol(BaseLL, protocol)] * share * (isAmd(machine.generation) ? m_constants[StartRccl] : 1);
  const double rampPerHop = m_constants[RampAcrossHop];
  const auto between = static_cast<double>(traffic.nodes - 1);
  const auto insideHops = static_cast<double>(std::max<std::int64_t>(1, traffic.members - traffic.nodes));
  switch (traffic.algorithm) {
    case Algorithm::Nvls: {
      const double start = m_constants[BaseMulticast];
      return {start * waitOfHeads(static_cast<double>(traffic.members)),
              start * static_cast<double>(traffic.members) / kMulticastMembers};
    }
    case Algorithm::NvlsTree:
    case Algorithm::CollNet: {
      const double start = m_constants[BaseMulticastTree];
      const bool isTree = traffic.algorithm != Algorithm::CollNet;
      const double hops = isTree ? 2 * doublings(traffic.nodes) : 2;
      const bool isChained = isChainedInside(traffic);
      const double chain = isChained ? 2 * hop * path.node : 0;
      const double local = isChained ? kMulticastMembers : static_cast<double>(localMembers(traffic));
      return {start * waitOfHeads(local) + chain + hops * (net(path.slowest, 1) + (isTree ? fill(traffic, moving) : 0)),
              start * local / kMulticastMembers};
    }
    case Algorithm::Tree: {
      const double across = 2 * doublings(traffic.nodes) * net(path.slowest, 1);
      const double seconds = base + 2 * hop * path.node;
      return {seconds + across + 2 * doublings(traffic.nodes) * fill(traffic, moving), seconds + across * rampPerHop};
    }
    case Algorithm::Pat: {
      const double across = doublings(traffic.nodes) * net(path.slowest, 1);
      return {base + across, base + across * rampPerHop};
    }
    case Algorithm::Ring:
    case Algorithm::Direct:
    case Algorithm::Auto:
      break;
  }
  if (isChain(traffic.collective)) {
    // A chain of two has nothing to fill.
    const double beyond =
        traffic.members > 2 ? static_cast<double>(traffic.members - 2) / static_cast<double>(traffic.members - 1) : 0;
    const double across = net(path.across, between);
    const double filling = m_constants[RampChainHop] * hop * path.inside + across;
    if (m_repeats == Repeats::AfterEveryMember) return {base + hop * path.inside + across, beyond * base + filling};
    const double start = m_constants[BaseChain] * share + m_constants[ChainHops] * hop * path.inside / insideHops;
    return {start, beyond * start + filling};
  }
  const double rounds = traitsOf(traffic.collective).rounds;
  // On an AMD mesh RCCL's all-pairs kernels talk to every peer at once.
  const bool isAllPairs = isAmd(machine.generation) && machine.mesh && traffic.nodes == 1 && traffic.members > 1 &&
                          traffic.collective == Collective::AllReduce;
  const double inside = rounds * hop * path.inside / (isAllPairs ? static_cast<double>(traffic.members - 1) : 1);
  const double across = rounds * net(path.across, between) * ringHop(machine, protocol);
  const double ofTwo = traffic.nodes > 1 ? std::sqrt(2 / static_cast<double>(traffic.nodes)) : 1;
  return {base + inside + across, base + (inside + across * rampPerHop) * ofTwo};
}

/// The shorter the faster a generation runs the protocols, unless PCIe sets the pace.
double NcclModel::ramp(const Traffic& traffic, Protocol protocol) const {
  const bool across = traffic.nodes > 1;
  const double pace = traffic.machine->hostLinked ? 1 : paceOf(traffic.machine->generation);
  double between = !across ? 1 : m_constants[protocol == Protocol::Simple ? RampAcrossSimple : RampAcross];
  if (across && traffic.machine->network == NetworkKind::Slingshot) between *= m_constants[RampSlingshot];
  const double efa = across && traffic.machine->network == NetworkKind::Efa ? m_constants[RampEfa] : 1;
  between *= efa;
  switch (traffic.algorithm) {
    case Algorithm::Nvls:
      return m_constants[RampMulticast];
    case Algorithm::NvlsTree:
    case Algorithm::CollNet:
      return m_constants[RampMulticastTree] * efa;
    case Algorithm::Tree:
      return m_constants[byProtocol(RampTreeLL, protocol)] * between / pace;
    case Algorithm::Ring:
    case Algorithm::Pat:
    case Algorithm::Direct:
    case Algorithm::Auto:
      break;
  }
  if (isChain(traffic.collective)) {
    // Over NVLink a device waits for the parts of a chunk longer than for its bytes.
    const double host = traffic.machine->hostLinked ? m_constants[RampChainHost] : 1;
    return m_constants[byProtocol(RampChainLL, protocol)] * host / pace;
  }
  double ramp = m_constants[byProtocol(RampRingLL, protocol)] * between / pace;
  if (isOneWay(traffic.collective)) ramp *= m_constants[across ? RampOneWayAcross : RampOneWayInside];
  return ramp;
}

/// Share of the nominal bandwidth that a ring gets inside a node.
double NcclModel::ringShare(const LibraryView& machine) const {
  if (machine.hostLinked) return m_constants[HostShare];
  return m_constants.of(RingShareFirst, machine.generation) * (machine.mesh ? m_constants[MeshShare] : 1);
}

/// Used share of the nominal bandwidth between nodes.
double NcclModel::acrossShare(const LibraryView& machine) const {
  return machine.nicShare > 0 ? machine.nicShare : m_constants[acrossShareConstant(machine)];
}

/// Share of the nominal bandwidth of a sum by switches that add up and copy.
double NcclModel::multicastShare(const LibraryView& machine) const {
  return m_constants[machine.generation == Generation::Hopper ? MulticastShareHopper : MulticastShareBlackwell];
}

/// Share of a ring's bandwidth between nodes for an AllToAll. Messages of devices on one NIC compete with each other.
double NcclModel::exchangeShare(const Traffic& traffic) const {
  const LibraryView& machine = *traffic.machine;
  const bool shared = machine.nics > 0 && machine.nics < localMembers(traffic);
  return m_constants[AllToAllAcrossShare] * (shared ? m_constants[AllToAllSharedShare] : 1);
}

NcclModel::Shares NcclModel::directShares(const Traffic& traffic) const {
  return {ringShare(*traffic.machine) * m_constants[AllToAllInsideShare],
          acrossShare(*traffic.machine) * exchangeShare(traffic) * congestion(traffic)};
}

/// `nic` is the rate of the busiest link between nodes, in bytes/s.
NcclModel::Shares NcclModel::shares(const Traffic& traffic, double nic, Protocol protocol) const {
  const LibraryView& machine = *traffic.machine;
  double inside = ringShare(machine);
  double across = acrossShare(machine);
  if (traffic.algorithm == Algorithm::Tree) inside *= m_constants[TreeShare];
  if (traffic.algorithm == Algorithm::Tree && traffic.nodes == 2) {
    across = std::min(across, m_constants.of(TreePairBandwidthFirst, machine.generation) / nic);
  }
  if (isChainedInside(traffic)) {
    // Up and down a chain each link carries twice as much as with multicast.
    const auto local = static_cast<double>(localMembers(traffic));
    if (local > 1) inside *= m_constants[TreeShare] * (local + 1) / (2 * (local - 1));
  } else if (isMulticast(traffic.algorithm)) {
    // More members than eight need fewer bytes a link, but the kernel copies no faster: 480 GB/s on eight GPUs of
    // Blackwell, 455 on 64.
    const auto local = static_cast<double>(localMembers(traffic));
    inside = multicastShare(machine) * std::min(1.0, (1 + 1 / local) / (1 + 1 / kMulticastMembers));
    if (isOneWay(traffic.collective)) inside *= ofOneWayMulticast(traffic.members);
  }
  if (isChain(traffic.collective)) {
    // Chains gain over the rings of their machine, but nothing is faster than its links. Over PCIe a chain of two gains
    // much, since no device both sends and receives; in a longer one all but its ends do.
    const double chain = m_constants[ChainShare];
    const bool oneWay = machine.hostLinked && traffic.members == 2;
    inside = std::min(1.0, inside * chain * (oneWay ? m_constants[HostChainShare] : 1));
    across = std::min(1.0, across * chain);
  }
  across *= congestion(traffic);
  if (traffic.algorithm == Algorithm::NvlsTree && traffic.nodes > 2) across *= m_constants[MulticastTreeAcross];
  if (traffic.algorithm == Algorithm::Tree && traffic.nodes > 2) across *= m_constants[TreeAcross];
  if (traffic.algorithm == Algorithm::Pat) across *= kPatShare;
  double share = 1;
  if (protocol == Protocol::LL) {
    share = m_constants[ShareLL] * (ncclHas(NcclFeature::WideLL, machine) ? 1 : narrowLL());
    if (traffic.nodes > 1 && machine.network == NetworkKind::Slingshot)
      across *= m_constants[traffic.algorithm == Algorithm::Tree ? SlingshotTreeLL : SlingshotRingLL];
  } else if (protocol == Protocol::LL128) {
    share = m_constants[ShareLL128];
  }
  return {inside * share, across * share, share};
}

/// Bytes/s of a device on PCIe that both sends to other nodes and receives from them; 0 where nothing such is known.
double NcclModel::hostBothWays(const Traffic& traffic) const {
  const LibraryView& machine = *traffic.machine;
  if (!machine.hostLinked || traffic.nodes == 1 || localMembers(traffic) > 1 || isChain(traffic.collective)) return 0;
  const bool pcie5 = machine.generation == Generation::Hopper || machine.generation == Generation::Blackwell;
  return m_constants[HostBothWays] * (pcie5 ? 2 : 1);
}

double NcclModel::movingSeconds(const Traffic& traffic, const Moving& moving, Protocol protocol) const {
  const Shares shares = this->shares(traffic, moving.nic, protocol);
  double seconds = std::max(moving.inside / shares.inside, moving.across / shares.across);
  if (const double rate = hostBothWays(traffic); rate > 0)
    seconds = std::max(seconds, moving.most / rate / shares.protocol);
  if (traffic.algorithm == Algorithm::Tree && traffic.nodes > 2) {
    const double most = m_constants[TreeChannel] * mostOfTree(*traffic.machine, localMembers(traffic));
    seconds = std::max(seconds, 2 * moving.most / most);
  }
  if (protocol != Protocol::LL) return seconds;
  return std::max(seconds, moving.most / (m_constants[MostLL] * shareOfMostLL(*traffic.machine, traffic.nodes)));
}

}  // namespace p2::inline cost
