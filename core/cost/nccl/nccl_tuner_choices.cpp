// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "cost/nccl/detail/nccl_kinds.h"
#include "cost/nccl/detail/nccl_tuner.h"
#include "cost/nccl/nccl_versions.h"

namespace p2::inline cost {
namespace {

/// A communicator, as far as the tuner looks at it.
struct TunerKey {
  Collective collective{};
  std::int64_t nodes = 0;
  std::int64_t members = 0;
  Generation generation{};
  NetworkKind network{};
  int version = 0;
  bool hostLinked = false;
  bool armHost = false;
  bool reducesInside = false;
  bool reducesAcross = false;
  double insideBandwidth = 0;
  std::int64_t nics = 0;
  double nicBandwidth = 0;
  friend bool operator==(const TunerKey&, const TunerKey&) = default;
};

TunerKey tunerKeyOf(const Traffic& traffic) {
  const LibraryView& machine = *traffic.machine;
  TunerKey key{traffic.collective,
               traffic.nodes,
               traffic.members,
               machine.generation,
               machine.network,
               machine.version,
               machine.hostLinked,
               machine.armHost,
               false,
               false,
               machine.insideBandwidth,
               machine.nics,
               machine.nicBandwidth};
  for (std::size_t i = 0; i < machine.reduces.size(); ++i) {
    if (machine.reduces[i]) (machine.across[i] ? key.reducesAcross : key.reducesInside) = true;
  }
  return key;
}

/// Whether the library has the algorithm for such a communicator.
bool tunerHas(Algorithm algorithm, const TunerKey& key, const LibraryView& machine) {
  const std::int64_t local = key.members / key.nodes;
  const bool isSum = key.collective == Collective::AllReduce;
  switch (algorithm) {
    case Algorithm::Ring:
      return true;
    case Algorithm::Tree:
      return isSum && (key.members > 2 || key.nodes > 1);
    case Algorithm::Nvls:
      return key.nodes == 1 && local > 2 && key.reducesInside &&
             ((isSum && ncclHas(NcclFeature::Multicast, machine)) ||
              (isOneWay(key.collective) && local <= kMostOneWayMulticast &&
               ncclHas(NcclFeature::MulticastOneWay, machine)));
    case Algorithm::NvlsTree:
      return isSum && key.nodes > 1 && local > 2 && key.reducesInside && ncclHas(NcclFeature::MulticastTree, machine);
    case Algorithm::CollNet:
      return isSum && key.nodes > 1 && key.reducesAcross;
    case Algorithm::Pat:
      return isOneWay(key.collective) && key.nodes > 1 && local == 1 && ncclHas(NcclFeature::Pat, machine);
    case Algorithm::Direct:
    case Algorithm::Auto:
      break;
  }
  return false;
}

constexpr std::size_t kProtocolBits = 4;
std::uint32_t bitOf(Algorithm algorithm, Protocol protocol) {
  return std::uint32_t{1} << (kProtocolBits * static_cast<std::size_t>(algorithm) + static_cast<std::size_t>(protocol));
}

/// Sizes at which choices are looked up: powers of two, up to 16 GiB.
constexpr std::size_t kTunerSizes = 35;
/// The search for channels is derived, not read from machines, so estimates this close do not tell.
constexpr double kSameEstimate = 1.1;

/// Choices at each size: among all algorithms, and among the protocols of each.
struct TunerTable {
  TunerKey key;
  std::array<std::uint32_t, kTunerSizes> any{};
  std::array<std::uint32_t, kTunerSizes> each{};
  std::uint32_t runnable = 0;
};

void addChoices(TunerTable& table, const std::array<double, 32>& seconds, std::size_t size) {
  const double least = *std::min_element(seconds.begin(), seconds.end());
  for (std::size_t algorithm = 0; algorithm < kAlgorithms; ++algorithm) {
    const auto* first = seconds.data() + kProtocolBits * algorithm;
    const double own = *std::min_element(first, first + kProtocolBits);
    for (std::size_t protocol = 0; protocol < kProtocolBits; ++protocol) {
      if (!std::isfinite(first[protocol])) continue;
      const std::uint32_t bit = std::uint32_t{1} << (kProtocolBits * algorithm + protocol);
      table.runnable |= bit;
      if (first[protocol] <= kSameEstimate * own) table.each[size] |= bit;
      if (first[protocol] <= kSameEstimate * least) table.any[size] |= bit;
    }
  }
}

TunerTable tunerTableOf(const TunerKey& key, const Traffic& traffic) {
  TunerTable table{key, {}, {}, 0};
  Traffic asked;
  asked.collective = traffic.collective;
  asked.members = traffic.members;
  asked.nodes = traffic.nodes;
  asked.machine = traffic.machine;
  for (std::size_t size = 0; size < kTunerSizes; ++size) {
    std::array<double, 32> seconds{};
    seconds.fill(std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < kAlgorithms; ++i) {
      asked.algorithm = static_cast<Algorithm>(i);
      if (!tunerHas(asked.algorithm, key, *traffic.machine)) continue;
      const bool onlySimple = isMulticast(asked.algorithm) || asked.algorithm == Algorithm::Pat;
      for (const Protocol protocol : {Protocol::LL, Protocol::LL128, Protocol::Simple}) {
        if (onlySimple && protocol != Protocol::Simple) continue;
        if (protocol == Protocol::LL128 && (key.hostLinked || !ncclHas(NcclFeature::LL128, *traffic.machine))) continue;
        seconds[kProtocolBits * i + static_cast<std::size_t>(protocol)] =
            tunerSeconds(asked, Bytes(std::ldexp(1.0, static_cast<int>(size))), protocol);
      }
    }
    addChoices(table, seconds, size);
  }
  return table;
}

std::size_t slotOf(const TunerKey& key, std::size_t slots) {
  std::uint64_t mixed = 0;
  for (const std::uint64_t each :
       {static_cast<std::uint64_t>(key.members), static_cast<std::uint64_t>(key.nodes),
        static_cast<std::uint64_t>(key.nics), static_cast<std::uint64_t>(key.collective),
        static_cast<std::uint64_t>(key.generation), static_cast<std::uint64_t>(key.network),
        static_cast<std::uint64_t>(key.version), std::bit_cast<std::uint64_t>(key.nicBandwidth) >> 32}) {
    mixed = mixed * 31 + each;
  }
  return mixed % slots;
}

/// Kept, since a search asks for the same communicators again and again, and a fit over all machines for hundreds.
const TunerTable& rememberedTable(const Traffic& traffic) {
  thread_local std::array<TunerTable, 509> tables;
  const TunerKey key = tunerKeyOf(traffic);
  TunerTable& table = tables[slotOf(key, tables.size())];
  if (!(table.key == key)) table = tunerTableOf(key, traffic);
  return table;
}

std::size_t tunerSizeOf(Bytes bytes) {
  const double doublings = std::floor(std::log2(std::max(1.0, bytes.value())));
  return std::min(kTunerSizes - 1, static_cast<std::size_t>(doublings));
}

}  // namespace

TunerChoices::TunerChoices(const Traffic& traffic, Bytes bytes) : m_algorithm(traffic.algorithm) {
  const LibraryView& machine = *traffic.machine;
  m_hasTuner = !isDirect(traffic.collective) && traffic.members > 1 && !isAmd(machine.generation) &&
               !(traffic.nodes > 1 && machine.network == NetworkKind::Efa);
  if (!m_hasTuner) return;
  const TunerTable& table = rememberedTable(traffic);
  m_any = table.any[tunerSizeOf(bytes)];
  m_each = table.each[tunerSizeOf(bytes)];
  m_runnable = table.runnable;
}

bool TunerChoices::takes(Protocol protocol) const { return m_hasTuner && (m_any & bitOf(m_algorithm, protocol)) != 0; }

bool TunerChoices::mayTake(Protocol protocol) const {
  if (!canRun(protocol)) return !m_hasTuner;
  const std::uint32_t ours = std::uint32_t{0b1111} << (kProtocolBits * static_cast<std::size_t>(m_algorithm));
  const std::uint32_t choices = (m_any & ours) != 0 ? m_any : m_each;
  return !m_hasTuner || (choices & bitOf(m_algorithm, protocol)) != 0;
}

bool TunerChoices::canRun(Protocol protocol) const {
  return !m_hasTuner || (m_runnable & bitOf(m_algorithm, protocol)) != 0;
}

}  // namespace p2::inline cost
