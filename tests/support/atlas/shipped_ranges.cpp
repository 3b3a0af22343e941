// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/atlas/shipped_ranges.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "text/json_document.h"

namespace p2 {
namespace {

/// The held-out times of all other machines.
AtlasValidation without(const AtlasValidation& validation, const std::string& machine) {
  AtlasValidation others;
  for (std::size_t i = 0; i < validation.heldOutTimes.size(); ++i) {
    if (validation.heldOutMachines[i] == machine) continue;
    others.heldOutTimes.push_back(validation.heldOutTimes[i]);
    others.heldOutMachines.push_back(validation.heldOutMachines[i]);
  }
  return others;
}

}  // namespace

std::map<std::string, PredictionRanges> rangesOfOthers(const AtlasValidation& validation) {
  std::map<std::string, PredictionRanges> byMachine;
  for (const std::string& machine : validation.heldOutMachines) {
    if (!byMachine.contains(machine)) byMachine.emplace(machine, rangesOf(without(validation, machine)));
  }
  return byMachine;
}

std::array<double, kSizeBands> coverageOf(const AtlasValidation& validation) {
  const std::map<std::string, PredictionRanges> byMachine = rangesOfOthers(validation);
  std::array<double, kSizeBands> within{};
  std::array<double, kSizeBands> all{};
  for (std::size_t i = 0; i < validation.heldOutTimes.size(); ++i) {
    const HeldOutTime& time = validation.heldOutTimes[i];
    const ErrorRange range =
        byMachine.at(validation.heldOutMachines[i]).at(time.cell, time.network, time.reach, time.bytes);
    all[time.cell.band] += time.weight;
    if (time.ratio >= range.low && time.ratio <= range.high) within[time.cell.band] += time.weight;
  }
  for (std::size_t band = 0; band < kSizeBands; ++band) within[band] /= std::max(all[band], 1e-300);
  return within;
}

std::string rangesFileText(const PredictionRanges& ranges) {
  Json list = Json::array();
  for (const RangeCell& cell : rangeCells()) {
    const ErrorRange& range = ranges.of(cell);
    const auto rounded = [](double value) { return std::round(value * 1000) / 1000; };
    list.push_back({{"steps", std::string(kStepKindNames[cell.kind])},
                    {"nodes", cell.acrossNodes ? "several" : "one"},
                    {"sizes", std::string(kSizeBandNames[cell.band])},
                    {"low", rounded(range.low)},
                    {"high", rounded(range.high)},
                    {"measurements", range.measurements}});
  }
  Json powers = Json::array();
  for (const RangePower& power : ranges.powers()) {
    powers.push_back({{"network", std::string(nameOf(power.network))},
                      {"up_to_nodes", power.upToNodes},
                      {"sizes", std::string(kPowerSizeNames[power.sizes])},
                      {"power", std::round(power.power * 1000) / 1000}});
  }
  return jsonText({{"format", "p2-nccl-ranges"},
                   {"version", 1},
                   {"source",
                    "Written by tst_scale with P2_RANGES, or bench_atlas --ranges: measured over predicted seconds "
                    "between which 80 % of the "
                    "measurements of resources/atlas lie, each machine predicted by constants fitted to the others"},
                   {"most_nodes", ranges.mostNodes()},
                   {"most_large_nodes", ranges.mostLargeNodes()},
                   {"powers", std::move(powers)},
                   {"ranges", std::move(list)}});
}

}  // namespace p2
