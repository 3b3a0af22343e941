// SPDX-License-Identifier: GPL-3.0-or-later
// The intervals of predictions, from the errors of machines that were held out.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "support/atlas/validation.h"

namespace p2 {
namespace {

/// The bands of nodes that have powers of their own: one node, two, up to 8, 48 and 128. Between two nodes there is no
/// congestion to be wrong about.
constexpr std::array<std::int64_t, 5> kPowerNodes{1, 2, 8, 48, 128};
constexpr std::size_t kFewestMachines = 3;
/// As rangesOf() needs for two ends.
constexpr std::size_t kFewestTimes = 9;
/// With this many machines or more, a power holds a larger share of their times, to allow for one that was not
/// measured.
constexpr std::size_t kEnoughMachines = 8;
constexpr double kHeld = 0.8;
/// Beyond as many nodes few machines were measured, and each differs from the others by more than its own sizes do from
/// each other.
constexpr std::int64_t kManyNodes = 8;
constexpr double kMostHeld = 0.96;
constexpr double kStepHeld = 0.01;

bool isHeld(const HeldOutTime& time, const PredictionRanges& ranges, double power) {
  const ErrorRange& range = ranges.of(time.cell);
  return std::pow(range.low, power) <= time.ratio && time.ratio <= std::pow(range.high, power);
}

/// Replaces ranges by those that `other` knows.
void overlay(PredictionRanges& ranges, const PredictionRanges& other) {
  for (const RangeCell& cell : rangeCells()) {
    if (other.of(cell).isKnown()) ranges.of(cell) = other.of(cell);
  }
  ranges.setMostNodes(std::max(ranges.mostNodes(), other.mostNodes()));
  ranges.setMostLargeNodes(std::max(ranges.mostLargeNodes(), other.mostLargeNodes()));
  if (!other.powers().empty()) ranges.setPowers(other.powers());
}

/// Times that give one power.
struct PowerTimes {
  std::vector<HeldOutTime> times;
  std::vector<std::string> owners;  ///< their machines
  std::set<std::string> machines;

  [[nodiscard]] double power(const PredictionRanges& ranges) const {
    const double more = machines.size() < kEnoughMachines ? 0 : 1 / static_cast<double>(machines.size());
    return powerOf(times, ranges, std::min(1.0, kHeld * (1 + more)));
  }
  /// As above; of fewer machines the power by which each of them would have been held by the power of the others, in
  /// that share of all cases.
  [[nodiscard]] double powerOfUnseen(const PredictionRanges& ranges) const;

 private:
  [[nodiscard]] std::vector<HeldOutTime> timesOf(const std::string& machine, bool isOf) const;
};

std::vector<HeldOutTime> PowerTimes::timesOf(const std::string& machine, bool isOf) const {
  std::vector<HeldOutTime> some;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if ((owners[i] == machine) == isOf) some.push_back(times[i]);
  }
  return some;
}

double PowerTimes::powerOfUnseen(const PredictionRanges& ranges) const {
  if (machines.size() < kFewestMachines || machines.size() >= kEnoughMachines) return power(ranges);
  std::vector<std::pair<std::vector<HeldOutTime>, std::vector<HeldOutTime>>> parted;
  for (const std::string& machine : machines) parted.emplace_back(timesOf(machine, true), timesOf(machine, false));
  double share = kHeld;
  for (; share < kMostHeld; share += kStepHeld) {
    double inside = 0;
    for (const auto& [own, rest] : parted) {
      const double power = powerOf(rest, ranges, share);
      inside += static_cast<double>(
          std::count_if(own.begin(), own.end(), [&](const HeldOutTime& time) { return isHeld(time, ranges, power); }));
    }
    if (inside >= kHeld * static_cast<double>(times.size())) break;
  }
  return powerOf(times, ranges, std::min(share, kMostHeld));
}

/// The powers by kind of network, nodes and sizes.
class RangePowers {
 public:
  RangePowers(const AtlasValidation& validation, const PredictionRanges& ranges) : m_ranges(ranges) {
    for (std::size_t i = 0; i < validation.heldOutTimes.size(); ++i) {
      add(validation.heldOutTimes[i], validation.heldOutMachines[i]);
    }
  }

  [[nodiscard]] std::vector<RangePower> all() {
    std::vector<RangePower> powers;
    for (std::size_t network = 0; network < kNetworkKindCount; ++network) {
      const auto kind = static_cast<NetworkKind>(network);
      for (std::size_t band = kind == NetworkKind::Other ? 0 : 1; band < kPowerNodes.size(); ++band) {
        for (std::size_t sizes = 0; sizes < kPowerSizes; ++sizes) {
          powers.push_back({kind, kPowerNodes[band], sizes, powerOf(kind, band, sizes)});
        }
      }
    }
    return powers;
  }

 private:
  /// Network and sizes; none for all together.
  using Key = std::tuple<std::optional<NetworkKind>, std::size_t, std::optional<std::size_t>>;

  void add(HeldOutTime time, const std::string& machine) {
    const std::int64_t nodes = time.cell.acrossNodes ? time.reach.equalNodes() : 1;
    const auto band =
        std::find_if(kPowerNodes.begin(), kPowerNodes.end() - 1, [&](std::int64_t most) { return nodes <= most; });
    time.weight = 1;
    for (const std::optional<NetworkKind> network : {std::optional(time.network), std::optional<NetworkKind>()}) {
      for (const std::optional<std::size_t> sizes :
           {std::optional(powerSize(time.bytes)), std::optional<std::size_t>()}) {
        PowerTimes& some = m_times[{network, static_cast<std::size_t>(band - kPowerNodes.begin()), sizes}];
        some.times.push_back(time);
        some.owners.push_back(machine);
        some.machines.insert(machine);
      }
    }
  }

  // Few machines say less of their network than all machines do of this many nodes, and of sizes than of all sizes
  // together. Where a network was not measured between that many nodes, others' certainty is not its own; there, larger
  // machines are not predicted more surely either.
  [[nodiscard]] double powerOf(NetworkKind network, std::size_t band, std::size_t sizes) {
    std::optional<std::size_t> asked = sizes;
    if (m_times[{std::nullopt, band, asked}].machines.size() < kFewestMachines) asked.reset();
    const PowerTimes& others = m_times[{std::nullopt, band, asked}];
    if (band == 0) return others.power(m_ranges);
    const double ofOthers = kPowerNodes[band] > kManyNodes ? others.powerOfUnseen(m_ranges) : others.power(m_ranges);
    const PowerTimes& own = m_times[{network, band, asked}];
    const bool isMeasured = own.times.size() >= kFewestTimes;
    double power = isMeasured ? own.power(m_ranges) : ofOthers;
    if (own.machines.size() < kFewestMachines) power = std::max(power, ofOthers);
    if (own.times.empty()) power = std::max(1.0, power);
    const bool isUnknown = network == NetworkKind::Other || !isMeasured;
    return isUnknown && band > 1 ? std::max(power, powerOf(network, band - 1, sizes)) : power;
  }

  const PredictionRanges& m_ranges;
  std::map<Key, PowerTimes> m_times;
};

}  // namespace

PredictionRanges rangesOf(const AtlasValidation& validation) {
  std::map<RangeCell, std::set<std::string>> machines;
  std::vector<HeldOutTime> single;
  std::vector<HeldOutTime> pooled;
  for (std::size_t i = 0; i < validation.heldOutTimes.size(); ++i) {
    HeldOutTime time = validation.heldOutTimes[i];
    machines[time.cell].insert(validation.heldOutMachines[i]);
    single.push_back(time);
    for (std::size_t kind = 0; kind < kStepKinds; ++kind) {
      time.cell.kind = kind;
      pooled.push_back(time);
    }
  }
  std::erase_if(single, [&](const HeldOutTime& time) { return machines[time.cell].size() < kFewestMachines; });
  PredictionRanges ranges = rangesOf(pooled);
  overlay(ranges, rangesOf(single));
  ranges.setPowers(RangePowers(validation, ranges).all());
  return ranges;
}

}  // namespace p2
