// SPDX-License-Identifier: GPL-3.0-or-later
// The intervals of predictions, from the errors of machines that were held out.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "atlas/predictions.h"

namespace p2::inline atlas {
namespace {

constexpr std::size_t kFewestMachines = 3;

/// Times that give one power: between nodes of one kind of network, or of all, in one band of nodes.
struct PowerTimes {
  std::vector<HeldOutTime> times;
  std::set<std::string> machines;
};

std::vector<RangePower> powersOf(const AtlasValidation& validation, const PredictionRanges& ranges) {
  std::map<std::pair<std::optional<NetworkKind>, std::size_t>, PowerTimes> byBand;
  for (std::size_t i = 0; i < validation.heldOutTimes.size(); ++i) {
    const HeldOutTime& time = validation.heldOutTimes[i];
    if (!time.cell.acrossNodes) continue;
    const auto band =
        std::find_if(kPowerNodes.begin(), kPowerNodes.end() - 1, [&](std::int64_t most) { return time.nodes <= most; });
    for (const std::optional<NetworkKind> network : {std::optional(time.network), std::optional<NetworkKind>()}) {
      PowerTimes& some = byBand[{network, static_cast<std::size_t>(band - kPowerNodes.begin())}];
      some.times.push_back(time);
      some.times.back().weight = 1;
      some.machines.insert(validation.heldOutMachines[i]);
    }
  }
  std::vector<RangePower> powers;
  for (std::size_t network = 0; network < kNetworkKindCount; ++network) {
    double before = 0;
    for (std::size_t band = 0; band < kPowerNodes.size(); ++band) {
      const auto kind = static_cast<NetworkKind>(network);
      const PowerTimes& own = byBand[{kind, band}];
      const PowerTimes& all = byBand[{std::nullopt, band}];
      // Few machines say less of their network than all machines do of this many nodes. Where a network was not
      // measured between that many nodes, others' certainty is not its own. Larger machines are never predicted more
      // surely.
      double power = powerOf(own.times.empty() ? all.times : own.times, ranges);
      if (own.machines.size() < kFewestMachines) power = std::max(power, powerOf(all.times, ranges));
      if (own.times.empty()) power = std::max(1.0, power);
      if (kind == NetworkKind::Other || own.times.empty()) power = std::max(power, before);
      powers.push_back({kind, kPowerNodes[band], power});
      before = power;
    }
  }
  return powers;
}

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
  ranges.overlay(rangesOf(single));
  ranges.setPowers(powersOf(validation, ranges));
  return ranges;
}

}  // namespace p2::inline atlas
