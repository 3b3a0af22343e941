// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <bit>

#include "cost/nccl_kinds.h"
#include "cost/nccl_parts.h"
#include "cost/nccl_versions.h"

namespace p2 {
namespace {

using enum NcclConstant;

/// By protocol: the constant of LL, and those of LL128 and Simple, which follow it.
NcclConstant byProtocol(NcclConstant first, Protocol protocol) {
  return static_cast<NcclConstant>(static_cast<std::size_t>(first) + static_cast<std::size_t>(protocol) - 1);
}

double doublings(std::int64_t nodes) {
  return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(nodes - 1)));
}

}  // namespace

/// Seconds of latencies between nodes, of messages that are parts of a vector of so many bytes.
double NcclModel::acrossSeconds(const Traffic& traffic, double latency, Bytes bytes) const {
  const double seconds = m_constants[AcrossHop] * latency;
  if (traffic.machine->network != NetworkKind::Slingshot) return seconds;
  // A message above 16 KiB waits until the other side has asked for it; four channels and more share the vector.
  constexpr double kHalfLong = 65536;
  return seconds * (1 + m_constants[LongMessage] * bytes.value() / (bytes.value() + kHalfLong));
}

NcclModel::Waiting NcclModel::waiting(const Traffic& traffic, Bytes bytes, Protocol protocol) const {
  const LibraryView& machine = *traffic.machine;
  const ChannelPath& path = traffic.path;
  const double hop = m_constants[byProtocol(InsideLL, protocol)] * m_constants.of(HopScaleFirst, machine.generation) *
                     (machine.hostLinked ? m_constants[HopScaleHost] : 1);
  const auto net = [&](double latency, double hops) {
    return acrossSeconds(traffic, latency, bytes) + hops * m_constants[byProtocol(AcrossLL, protocol)];
  };
  const double share = startShare(machine, traffic.algorithm, protocol);
  const double base = m_constants[byProtocol(BaseLL, protocol)] * share;
  const double net_ = m_constants[RampAcrossHop];
  const auto between = static_cast<double>(traffic.nodes - 1);
  const auto insideHops = static_cast<double>(std::max<std::int64_t>(1, traffic.members - traffic.nodes));
  switch (traffic.algorithm) {
    case Algorithm::Nvls: {
      const double start = m_constants[BaseMulticast];
      return {start, start};
    }
    case Algorithm::NvlsTree:
    case Algorithm::CollNet: {
      const double start = m_constants[BaseMulticastTree];
      const double hops = traffic.algorithm == Algorithm::CollNet ? 2 : 2 * doublings(traffic.nodes);
      return {start + hops * net(path.slowest, 1), start};
    }
    case Algorithm::Tree: {
      const double across = 2 * doublings(traffic.nodes) * net(path.slowest, 1);
      const double seconds = base + 2 * hop * path.node;
      return {seconds + across, seconds + across * net_};
    }
    case Algorithm::Pat: {
      const double across = doublings(traffic.nodes) * net(path.slowest, 1);
      return {base + across, base + across * net_};
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
  const double inside = rounds * hop * path.inside;
  const double across = rounds * net(path.across, between);
  const double ofTwo = traffic.nodes > 1 ? 2 / static_cast<double>(traffic.nodes) : 1;
  return {base + inside + across, base + (inside + across * net_) * ofTwo};
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
  if (isChain(traffic.collective)) return m_constants[byProtocol(RampChainLL, protocol)] / pace;
  double ramp = m_constants[byProtocol(RampRingLL, protocol)] * between / pace;
  if (isOneWay(traffic.collective)) ramp *= m_constants[across ? RampOneWayAcross : RampOneWayInside];
  return ramp;
}

}  // namespace p2
