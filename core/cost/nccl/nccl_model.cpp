// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/nccl/detail/nccl_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/near.h"
#include "cost/calibration/library_calibration.h"
#include "cost/nccl/detail/nccl_kinds.h"
#include "cost/nccl/detail/nccl_parts.h"
#include "cost/nccl/detail/nccl_tuner.h"
#include "cost/nccl/detail/registered_kernels.h"
#include "cost/nccl/nccl_versions.h"
#include "cost/prediction_ranges.h"

namespace p2::inline cost {
namespace {

using enum NcclConstant;

/// Candidates of an AllReduce, of collectives without algorithms, and of ReduceScatter and AllGather.
constexpr std::array kReductions{Algorithm::Ring, Algorithm::Tree, Algorithm::Nvls, Algorithm::NvlsTree,
                                 Algorithm::CollNet};
constexpr std::array kDirect{Algorithm::Direct};
constexpr std::array kOneWay{Algorithm::Ring, Algorithm::Pat};
/// On request only: NCCL's estimates never choose it.
constexpr std::array kOneWayMulticast{Algorithm::Nvls};

constexpr std::array kProtocols{Protocol::LL, Protocol::LL128, Protocol::Simple};

/// As std::pow(), which would take most of the time of a sweep: the exponents are these unless constants are fitted
/// again.
double power(double base, double exponent) {
  if (exponent == 1) return base;
  if (exponent == 1.5) return base * std::sqrt(base);
  if (exponent == 0.625) return std::sqrt(base) * std::sqrt(std::sqrt(std::sqrt(base)));
  if (exponent == 0.375) return std::sqrt(std::sqrt(base)) * std::sqrt(std::sqrt(std::sqrt(base)));
  if (exponent == 1 / 1.5) return std::cbrt(base * base);
  return std::pow(base, exponent);
}

/// Starting the next operation takes as long as LibraryView::launch, while the one before still runs.
StepCost started(StepCost cost, const Traffic& traffic) {
  const double launch = traffic.machine->launch;
  if (cost.fasterSeconds > 0) cost.fasterSeconds = std::max(cost.fasterSeconds, launch);
  if (cost.seconds < launch) cost.seconds = cost.latencySeconds = launch;
  if (cost.fasterSeconds >= cost.seconds) cost.fasterSeconds = 0;
  return cost;
}

}  // namespace

std::span<const Algorithm> NcclModel::candidates(Collective collective, Algorithm wanted) const {
  // Kernels for registered buffers run on request only.
  const bool isRegistered =
      wanted == Algorithm::Direct && (collective == Collective::AllReduce || isOneWay(collective));
  if (isDirect(collective) || isRegistered) return kDirect;
  if (wanted == Algorithm::Nvls && isOneWay(collective)) return kOneWayMulticast;
  const std::span<const Algorithm> all = collective == Collective::AllReduce ? std::span<const Algorithm>(kReductions)
                                         : isOneWay(collective)              ? std::span<const Algorithm>(kOneWay)
                                                                : std::span<const Algorithm>(kOneWay).first(1);
  if (wanted == Algorithm::Auto) return all;
  const auto found = std::find(all.begin(), all.end(), wanted);
  return found == all.end() ? all.first(1) : all.subspan(static_cast<std::size_t>(found - all.begin()), 1);
}

FlowShape NcclModel::shape(Collective collective, Algorithm algorithm) const {
  if (isDirect(collective))
    return traitsOf(collective).shape == FlowShape::Exchange ? FlowShape::RailExchange : FlowShape::RailSpread;
  switch (algorithm) {
    case Algorithm::Tree:
      return FlowShape::RailTree;
    case Algorithm::Nvls:
      return FlowShape::Multicast;
    case Algorithm::NvlsTree:
      return FlowShape::MulticastTree;
    case Algorithm::CollNet:
      return FlowShape::MulticastRing;
    case Algorithm::Ring:
    case Algorithm::Pat:
    case Algorithm::Direct:
    case Algorithm::Auto:
      break;
  }
  return FlowShape::RailRing;
}

double NcclModel::factor(Collective collective, Algorithm algorithm, std::int64_t members) const {
  if (isChain(collective) || algorithm == Algorithm::Tree || isMulticast(algorithm)) return 1;
  if (isDirect(collective)) return 1;
  return flowFactor(collective, FlowShape::Ring, members);
}

NcclModel::Moving NcclModel::moving(const Traffic& traffic, Bytes bytes) const {
  Moving moving;
  moving.flow = bytes.value() * traffic.factor;
  moving.most = bytes.value() * traffic.flow;
  for (const LinkLoad& load : traffic.loads) {
    const bool isAcross = traffic.machine->across[load.interconnect];
    const double seconds = load.seconds() * moving.flow;
    double& most = isAcross ? moving.across : moving.inside;
    // Links that are as busy but for rounding are ties; the first counts, in any order of addition.
    if (isAcross && definitelyLess(most, seconds)) moving.nic = load.bandwidth;
    most = std::max(most, seconds);
    if (load.isBusierThan(moving.busiest)) moving.busiest = load;
  }
  return moving;
}

bool NcclModel::canRun(const Traffic& traffic) const {
  const LibraryView& machine = *traffic.machine;
  const auto reduces = [&](bool across) { return hasReducing(traffic, across); };
  const auto has = [&](NcclFeature feature) { return ncclHas(feature, machine); };
  const std::int64_t local = localMembers(traffic);
  switch (traffic.algorithm) {
    case Algorithm::Nvls:
      if (isOneWay(traffic.collective) && (local > kMostOneWayMulticast || !has(NcclFeature::MulticastOneWay)))
        return false;
      return traffic.nodes == 1 && local > 2 && reduces(false) && has(NcclFeature::Multicast);
    case Algorithm::NvlsTree:
      return traffic.nodes > 1 && local > 2 && has(NcclFeature::MulticastTree) && reduces(false);
    case Algorithm::CollNet:
      return traffic.nodes > 1 && reduces(true);
    case Algorithm::Pat:
      return traffic.nodes > 1 && local == 1 && has(NcclFeature::Pat);
    case Algorithm::Tree:
      return traffic.members > 2 || traffic.nodes > 1;
    case Algorithm::Direct:
      return isDirect(traffic.collective) || hasRegisteredKernels(traffic);
    case Algorithm::Ring:
    case Algorithm::Auto:
      break;
  }
  return true;
}

bool NcclModel::isDefaultOf(const System& system) const { return !system.library.generation.empty(); }

const PredictionRanges& NcclModel::publicRanges() const { return ncclRanges(); }

Result<Calibration> NcclModel::calibrated(const System& system, const std::vector<MeasuredTime>& measurements,
                                          HoldOut holdOut, int folds, std::stop_token stop,
                                          const Progress& progress) const {
  return calibrateLibrary(system, measurements, holdOut, folds, std::move(stop), progress);
}

void NcclModel::addBusy(const Traffic& traffic, Bytes bytes, const StepCost& price, std::vector<double>& busy) const {
  const auto& tuned = traffic.machine->tuned;
  (tuned ? NcclModel(*tuned, m_repeats) : *this).keepBusy(traffic, bytes, price, busy);
}

void NcclModel::keepBusy(const Traffic& traffic, Bytes bytes, const StepCost& price, std::vector<double>& busy) const {
  const Moving moving = this->moving(traffic, bytes);
  const Shares shares =
      isDirect(traffic.collective) ? directShares(traffic) : this->shares(traffic, moving.nic, price.protocol);
  for (const LinkLoad& load : traffic.loads) {
    const bool across = traffic.machine->across[load.interconnect];
    busy[load.interconnect] += load.seconds() * moving.flow / (across ? shares.across : shares.inside);
  }
}

double NcclModel::together(double waiting, double moving, double ramped, double ramp, double movingExponent) const {
  if (moving <= 0) return waiting;
  const double p = m_constants[SumExponent];
  const double a = m_constants[RampExponent];
  const double longer = std::max(waiting, moving);
  const double sum = longer * power(1 + power(std::min(waiting, moving) / longer, p), 1 / p);
  const double both = ramped + moving;
  return sum + ramp * both * power(ramped / both, a) * power(moving / both, movingExponent);
}

/// Bytes of the vector of the group that works on the most.
Bytes NcclModel::workingBytes(const Traffic& traffic, Bytes bytes) const {
  return bytes * (traffic.flow / factor(traffic.collective, traffic.algorithm, traffic.members));
}

std::int64_t NcclModel::measuredNodes() const { return ncclRanges().mostNodes(); }

namespace {

/// The path of a group with published latencies where the system gives none: every hop takes as long.
ChannelPath completedPath(const Traffic& traffic, const PublishedLatencies& published) {
  const auto nodes = static_cast<double>(traffic.nodes);
  ChannelPath path = traffic.path;
  if (path.inside == 0) {
    path.inside = std::max(0.0, static_cast<double>(traffic.members) - nodes) * published.inside;
    path.node = path.inside / nodes;
  }
  if (path.across == 0) {
    path.across = (nodes - 1) * published.across;
    path.slowest = traffic.nodes > 1 ? published.across : 0;
  }
  return path;
}

}  // namespace

StepCost NcclModel::price(const Traffic& traffic, Bytes bytes, Protocol only) const {
  const LibraryView& machine = *traffic.machine;
  if (machine.published && traffic.nodes > 0) {
    const ChannelPath path = completedPath(traffic, *machine.published);
    if (path.seconds() > traffic.path.seconds()) {
      Traffic completed = traffic;
      completed.path = path;
      return price(completed, bytes, only);
    }
  }
  const auto priced = [&](const NcclModel& model) {
    if (isDirect(traffic.collective)) return model.priceDirect(traffic, bytes);
    return traffic.algorithm == Algorithm::Direct ? model.priceRegistered(traffic, bytes)
                                                  : model.cheapest(traffic, bytes, only);
  };
  const StepCost run = machine.tuned ? priced(NcclModel(*machine.tuned, m_repeats)) : priced(*this);
  // Ranges were measured with other kernels.
  if (traffic.algorithm == Algorithm::Direct && !isDirect(traffic.collective)) return run;
  return withRange(run, traffic, workingBytes(traffic, bytes), machine.rangesOf(*this));
}

/// Those that can run, into room for all of them.
std::span<const Protocol> NcclModel::protocolsOf(const Traffic& traffic, Protocol only, std::span<Protocol> room) {
  const bool noLL128 = traffic.machine->hostLinked || !ncclHas(NcclFeature::LL128, *traffic.machine);
  const bool onlySimple = isMulticast(traffic.algorithm) || traffic.algorithm == Algorithm::Pat;
  std::size_t count = 0;
  for (const Protocol protocol : kProtocols) {
    if (onlySimple && protocol != Protocol::Simple) continue;
    if (!onlySimple && only != Protocol::None && protocol != only) continue;
    if (protocol == Protocol::LL128 && noLL128) continue;
    room[count++] = protocol;
  }
  return room.first(count);
}

StepCost NcclModel::cheapest(const Traffic& traffic, Bytes bytes, Protocol only) const {
  StepCost best;
  best.seconds = std::numeric_limits<double>::infinity();
  if (!canRun(traffic)) return best;
  const Moving moving = this->moving(traffic, bytes);
  const Bytes working = workingBytes(traffic, bytes);
  std::array<Protocol, kProtocols.size()> runnable{};
  const std::span<const Protocol> protocols = protocolsOf(traffic, only, runnable);
  const TunerChoices choices(traffic, working);
  double fastest = best.seconds;
  Protocol fastestProtocol = Protocol::None;
  for (const Protocol protocol : protocols) {
    const double busy = movingSeconds(traffic, moving, protocol);
    const Waiting wait = waiting(traffic, working, moving, protocol);
    const bool isOpen = only != Protocol::None || choices.mayTake(protocol);
    if ((isOpen ? best.seconds : fastest) <= std::max(wait.seconds, busy)) continue;
    const double seconds = together(wait.seconds, busy, wait.ramp, ramp(traffic, protocol),
                                    traffic.nodes > 1 ? 1 : m_constants[RampExponentInside]);
    if (seconds < fastest && choices.canRun(protocol)) {
      fastest = seconds;
      fastestProtocol = protocol;
    }
    if (!isOpen || best.seconds <= seconds) continue;
    best.seconds = seconds;
    best.isLibrarysChoice = choices.takes(protocol);
    best.link = moving.busiest.link;
    best.linkBytes = Bytes(moving.busiest.bytes * moving.flow);
    best.algorithm = traffic.algorithm;
    best.protocol = protocol;
    best.channels = localMembers(traffic);
    best.latencySeconds = wait.seconds;
  }
  if (definitelyLess(fastest, best.seconds)) {
    best.fasterSeconds = fastest;
    best.fasterAlgorithm = traffic.algorithm;
    best.fasterProtocol = fastestProtocol;
  }
  return started(best, traffic);
}

// The library's own figures, since nothing public is measured; but no byte moves faster than by rings and multicast.
StepCost NcclModel::priceRegistered(const Traffic& traffic, Bytes bytes) const {
  StepCost cost;
  cost.seconds = std::numeric_limits<double>::infinity();
  if (!canRun(traffic)) return cost;
  const Moving moving = this->moving(traffic, bytes);
  const RegisteredKernel kernel = registeredKernel(traffic, workingBytes(traffic, bytes), hasReducing(traffic, false));
  double links = moving.inside / ringShare(*traffic.machine);
  if (kernel.multicast) {
    // A ring's flows carry 2(n−1)/n of a sum, or (n−1)/n of the vector; multicast (n+1)/n of a sum, or all of it.
    const auto members = static_cast<double>(traffic.members);
    links = isOneWay(traffic.collective)
                ? links * members / (members - 1)
                : moving.inside * (members + 1) / (2 * (members - 1) * multicastShare(*traffic.machine));
  } else if (kernel.protocol == Protocol::LL) {
    // Every member sends its whole vector to every other, and flags double the bytes.
    links *= isOneWay(traffic.collective) ? 2 : static_cast<double>(traffic.members);
  }
  cost.seconds = registeredSeconds(kernel.start, std::max(kernel.moving, links));
  cost.link = moving.busiest.link;
  cost.linkBytes = Bytes(moving.busiest.bytes * moving.flow);
  cost.algorithm = Algorithm::Direct;
  cost.protocol = kernel.protocol;
  cost.latencySeconds = kernel.start;
  return started(cost, traffic);
}

StepCost NcclModel::priceDirect(const Traffic& traffic, Bytes bytes) const {
  const Moving moving = this->moving(traffic, bytes);
  const std::int64_t local = localMembers(traffic);
  const Shares shares = directShares(traffic);
  double busy = std::max(moving.inside / shares.inside, moving.across / shares.across);
  if (const double rate = hostBothWays(traffic); rate > 0)
    busy = std::max(busy, moving.across * moving.nic / (rate * exchangeShare(traffic)));
  const double wait =
      m_constants[BaseAllToAll] + static_cast<double>(local - 1) * m_constants[PeerInside] +
      static_cast<double>(traffic.members - local) * m_constants[PeerAcross] +
      (local < traffic.members ? m_constants[AllToAllHop] *
                                     acrossSeconds(traffic, sitePathOf(traffic).slowest, workingBytes(traffic, bytes))
                               : 0);
  return started({together(wait, busy, wait, m_constants[RampAllToAll], 1), moving.busiest.link,
                  Bytes(moving.busiest.bytes * moving.flow), Algorithm::Direct, Protocol::Simple, 1, wait},
                 traffic);
}

}  // namespace p2::inline cost
