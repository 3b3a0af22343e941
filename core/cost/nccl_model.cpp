// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/nccl_model.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "cost/nccl_kinds.h"
#include "cost/nccl_versions.h"
#include "cost/prediction_ranges.h"

namespace p2 {
namespace {

using enum NcclConstant;

constexpr std::array kProtocols{Protocol::LL, Protocol::LL128, Protocol::Simple};

/// By protocol: the constant of LL, and those of LL128 and Simple, which follow it.
NcclConstant byProtocol(NcclConstant first, Protocol protocol) {
  return static_cast<NcclConstant>(static_cast<std::size_t>(first) + static_cast<std::size_t>(protocol) - 1);
}

std::int64_t localMembers(const Traffic& traffic) { return std::max<std::int64_t>(1, traffic.members / traffic.nodes); }

double doublings(std::int64_t nodes) {
  return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(nodes - 1)));
}

/// As std::pow(), which would take most of the time of a sweep: the exponents are these unless constants are fitted
/// anew.
double power(double base, double exponent) {
  if (exponent == 1.5) return base * std::sqrt(base);
  if (exponent == 0.75) return std::sqrt(base) * std::sqrt(std::sqrt(base));
  if (exponent == 0.375) return std::sqrt(std::sqrt(base)) * std::sqrt(std::sqrt(std::sqrt(base)));
  if (exponent == 1 / 1.5) return std::cbrt(base * base);
  return std::pow(base, exponent);
}

/// Starting the next operation takes as long as LibraryView::launch, while the one before still runs.
StepCost started(StepCost cost, const Traffic& traffic) {
  const double launch = traffic.machine->launch;
  if (cost.seconds < launch) cost.seconds = cost.latencySeconds = launch;
  return cost;
}

}  // namespace

/// The busiest links inside nodes and between them, in seconds at their nominal bandwidth.
struct NcclModel::Moving {
  double inside = 0;
  double across = 0;
  double nic = 1;   ///< bytes/s of the busiest link between nodes
  double flow = 0;  ///< bytes on a flow of weight 1
  double most = 0;  ///< the same of the group that works on the most
  LinkLoad busiest;
};

/// What is used of the nominal bandwidth inside nodes and between them.
struct NcclModel::Shares {
  double inside = 1;
  double across = 1;
  double protocol = 1;  ///< that of the protocol, which is in both
};

struct NcclModel::Waiting {
  double seconds = 0;
  double ramp = 0;  ///< seconds that count in the third term
};

NcclModel::Moving NcclModel::moving(const Traffic& traffic, Bytes bytes) const {
  Moving moving;
  moving.flow = bytes.value() * traffic.factor;
  moving.most = bytes.value() * traffic.flow;
  for (const LinkLoad& load : traffic.loads) {
    const bool isAcross = traffic.machine->across[load.interconnect];
    const double seconds = load.seconds() * moving.flow;
    double& most = isAcross ? moving.across : moving.inside;
    // Links that are as busy but for rounding are ties, of which the first counts, however their loads were added up.
    if (isAcross && seconds > most * (1 + 1e-12)) moving.nic = load.bandwidth;
    most = std::max(most, seconds);
    if (load.isBusierThan(moving.busiest)) moving.busiest = load;
  }
  return moving;
}

bool NcclModel::canRun(const Traffic& traffic) const {
  const LibraryView& machine = *traffic.machine;
  const auto reduces = [&](bool across) {
    bool any = false;
    for (const LinkLoad& load : traffic.loads) {
      if (machine.across[load.interconnect] != across) continue;
      if (!machine.reduces[load.interconnect]) return false;
      any = true;
    }
    return any;
  };
  const auto has = [&](NcclFeature feature) { return ncclHas(feature, machine); };
  const std::int64_t local = localMembers(traffic);
  switch (traffic.algorithm) {
    case Algorithm::Nvls:
      return traffic.nodes == 1 && local > 2 && has(NcclFeature::Multicast) && reduces(false);
    case Algorithm::NvlsTree:
      return traffic.nodes > 1 && local > 2 && has(NcclFeature::MulticastTree) && reduces(false);
    case Algorithm::CollNet:
      return traffic.nodes > 1 && reduces(true) && (local == 1 || reduces(false));
    case Algorithm::Pat:
      return traffic.nodes > 1 && local == 1 && has(NcclFeature::Pat);
    case Algorithm::Tree:
      return traffic.members > 2 || traffic.nodes > 1;
    case Algorithm::Ring:
    case Algorithm::Direct:
    case Algorithm::Auto:
      break;
  }
  return true;
}

/// What a ring gets of the nominal bandwidth inside a node.
double NcclModel::ringShare(const LibraryView& machine) const {
  if (machine.hostLinked) return m_constants[HostShare];
  return m_constants.of(RingShareFirst, machine.generation) * (machine.mesh ? m_constants[MeshShare] : 1);
}

/// What is used of the nominal bandwidth between nodes.
double NcclModel::acrossShare(const LibraryView& machine) const {
  return machine.hostLinked ? m_constants[AcrossShareHost] : m_constants.of(AcrossShareFirst, machine.network);
}

NcclModel::Shares NcclModel::directShares(const LibraryView& machine) const {
  return {ringShare(machine) * m_constants[ExchangeInsideShare],
          acrossShare(machine) * m_constants[ExchangeAcrossShare]};
}

/// `nic` is what the busiest link between nodes carries, in bytes/s.
NcclModel::Shares NcclModel::shares(const Traffic& traffic, double nic, Protocol protocol) const {
  const LibraryView& machine = *traffic.machine;
  double inside = ringShare(machine);
  double across = acrossShare(machine);
  if (traffic.algorithm == Algorithm::Tree) inside *= m_constants[TreeShare];
  if (traffic.algorithm == Algorithm::Tree && traffic.nodes == 2) {
    across = std::min(across, m_constants.of(TreePairBandwidthFirst, machine.generation) / nic);
  }
  if (isMulticast(traffic.algorithm)) {
    inside = machine.generation == Generation::Hopper ? m_constants[MulticastShareHopper]
                                                      : m_constants[MulticastShareBlackwell];
  }
  if (isChain(traffic.collective)) {
    // Chains gain over the rings of their machine, but nothing is faster than its links.
    const double chain = m_constants[ChainShare];
    inside = std::min(1.0, inside * chain * (machine.hostLinked ? m_constants[HostChainShare] : 1));
    across = std::min(1.0, across * chain);
  }
  double share = 1;
  if (protocol == Protocol::LL) {
    share = m_constants[ShareLL] * (ncclHas(NcclFeature::WideLL, machine) ? 1 : narrowLL());
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
  if (protocol != Protocol::LL) return seconds;
  return std::max(seconds, moving.most / (m_constants[MostLL] * shareOfMostLL(*traffic.machine, traffic.nodes)));
}

void NcclModel::addBusy(const Traffic& traffic, Bytes bytes, const StepCost& price, std::vector<double>& busy) const {
  const LibraryView& machine = *traffic.machine;
  if (machine.tuned) return NcclModel(*machine.tuned, m_repeats).addOwnBusy(traffic, bytes, price, busy);
  addOwnBusy(traffic, bytes, price, busy);
}

void NcclModel::addOwnBusy(const Traffic& traffic, Bytes bytes, const StepCost& price,
                           std::vector<double>& busy) const {
  const auto& tuned = traffic.machine->tuned;
  (tuned ? NcclModel(*tuned, m_repeats) : *this).keepBusy(traffic, bytes, price, busy);
}

void NcclModel::keepBusy(const Traffic& traffic, Bytes bytes, const StepCost& price, std::vector<double>& busy) const {
  const Moving moving = this->moving(traffic, bytes);
  const Shares shares =
      isDirect(traffic.collective) ? directShares(*traffic.machine) : this->shares(traffic, moving.nic, price.protocol);
  for (const LinkLoad& load : traffic.loads) {
    const bool across = traffic.machine->across[load.interconnect];
    busy[load.interconnect] += load.seconds() * moving.flow / (across ? shares.across : shares.inside);
  }
}

double NcclModel::together(double waiting, double moving, double ramped, double ramp,
                           NcclConstant movingExponent) const {
  if (moving <= 0) return waiting;
  const double p = m_constants[SumExponent];
  const double a = m_constants[RampExponent];
  const double longer = std::max(waiting, moving);
  const double sum = longer * power(1 + power(std::min(waiting, moving) / longer, p), 1 / p);
  const double both = ramped + moving;
  return sum + ramp * both * power(ramped / both, a) * power(moving / both, m_constants[movingExponent]);
}

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
  const double seconds = base + rounds * hop * path.inside;
  const double across = rounds * net(path.across, between);
  return {seconds + across, seconds + across * net_};
}

/// The shorter the faster a generation runs the protocols, unless PCIe sets the pace.
double NcclModel::ramp(const Traffic& traffic, Protocol protocol) const {
  const bool across = traffic.nodes > 1;
  const double pace = traffic.machine->hostLinked ? 1 : paceOf(traffic.machine->generation);
  double between = !across ? 1 : m_constants[protocol == Protocol::Simple ? RampAcrossSimple : RampAcross];
  if (across && traffic.machine->network == NetworkKind::Slingshot) between *= m_constants[RampSlingshot];
  switch (traffic.algorithm) {
    case Algorithm::Nvls:
      return m_constants[RampMulticast];
    case Algorithm::NvlsTree:
    case Algorithm::CollNet:
      return m_constants[RampMulticastTree];
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

/// Of the vector that the group works on which works on the most.
Bytes NcclModel::workingBytes(const Traffic& traffic, Bytes bytes) const {
  return bytes * (traffic.flow / factor(traffic.collective, traffic.algorithm, traffic.members));
}

StepCost NcclModel::price(const Traffic& traffic, Bytes bytes, Protocol only) const {
  const LibraryView& machine = *traffic.machine;
  const auto priced = [&](const NcclModel& model) {
    return isDirect(traffic.collective) ? model.priceDirect(traffic, bytes) : model.cheapest(traffic, bytes, only);
  };
  const StepCost run = machine.tuned ? priced(NcclModel(*machine.tuned, m_repeats)) : priced(*this);
  return withRange(run, traffic, workingBytes(traffic, bytes),
                   machine.ncclRanges ? *machine.ncclRanges : p2::ncclRanges());
}

StepCost NcclModel::cheapest(const Traffic& traffic, Bytes bytes, Protocol only) const {
  StepCost best;
  best.seconds = std::numeric_limits<double>::infinity();
  if (!canRun(traffic)) return best;
  const Moving moving = this->moving(traffic, bytes);
  const Bytes working = workingBytes(traffic, bytes);
  const bool noLL128 = traffic.machine->hostLinked || !ncclHas(NcclFeature::LL128, *traffic.machine);
  const bool onlySimple = isMulticast(traffic.algorithm) || traffic.algorithm == Algorithm::Pat;
  for (const Protocol protocol : kProtocols) {
    if (onlySimple && protocol != Protocol::Simple) continue;
    if (!onlySimple && only != Protocol::None && protocol != only) continue;
    if (protocol == Protocol::LL128 && noLL128) continue;
    const double busy = movingSeconds(traffic, moving, protocol);
    const Waiting wait = waiting(traffic, working, protocol);
    if (best.seconds <= std::max(wait.seconds, busy)) continue;
    const double seconds = together(wait.seconds, busy, wait.ramp, ramp(traffic, protocol),
                                    traffic.nodes > 1 ? RampExponent : RampExponentInside);
    if (best.seconds <= seconds) continue;
    best.seconds = seconds;
    best.link = moving.busiest.link;
    best.linkBytes = Bytes(moving.busiest.bytes * moving.flow);
    best.algorithm = traffic.algorithm;
    best.protocol = protocol;
    best.channels = localMembers(traffic);
    best.latencySeconds = wait.seconds;
  }
  return started(best, traffic);
}

StepCost NcclModel::priceDirect(const Traffic& traffic, Bytes bytes) const {
  const LibraryView& machine = *traffic.machine;
  const Moving moving = this->moving(traffic, bytes);
  const std::int64_t local = localMembers(traffic);
  const Shares shares = directShares(machine);
  const double busy = std::max(moving.inside / shares.inside, moving.across / shares.across);
  const double wait = m_constants[BaseExchange] + static_cast<double>(local - 1) * m_constants[PeerInside] +
                      static_cast<double>(traffic.members - local) * m_constants[PeerAcross] +
                      (local < traffic.members ? m_constants[ExchangeHop] * acrossSeconds(traffic, traffic.path.slowest,
                                                                                          workingBytes(traffic, bytes))
                                               : 0);
  return started({together(wait, busy, wait, m_constants[RampExchange], RampExponent), moving.busiest.link,
                  Bytes(moving.busiest.bytes * moving.flow), Algorithm::Direct, Protocol::Simple, 1, wait},
                 traffic);
}

}  // namespace p2
