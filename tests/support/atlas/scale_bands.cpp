// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/atlas/scale_bands.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "base/median.h"
#include "support/atlas/shipped_ranges.h"

namespace p2 {
namespace {

std::string fabricOf(const AtlasTable& table) {
  if (table.nodes == 1) return "one node";
  if (table.fabric.starts_with("MNNVL")) return table.fabric == "MNNVL" ? "one rack" : "racks";
  for (const std::string_view name : {"TCP", "Slingshot", "EFA v1", "EFA", "RoCE"}) {
    if (table.fabric.find(name) != std::string::npos) return std::string(name);
  }
  return table.fabric.starts_with("IB") ? "InfiniBand" : "other";
}

constexpr std::size_t kAllSizes = kScaleSizeNames.size();

struct Ratios {
  std::vector<double> nominal;
  std::vector<double> heldOut;
  std::set<std::string> machines;
  std::size_t judged = 0;
  std::size_t inside = 0;
};

std::vector<double> magnitudes(std::vector<double> logarithms) {
  for (double& value : logarithms) value = std::abs(value);
  return logarithms;
}

}  // namespace

std::size_t nodeBand(std::int64_t nodes) {
  return nodes == 1 ? 0 : nodes <= 8 ? 1 : nodes <= 48 ? 2 : nodes <= 128 ? 3 : 4;
}

std::size_t scaleSize(Bytes bytes) { return powerSize(bytes); }

std::vector<ScaleBand> scaleBands(const AtlasValidation& validation) {
  std::map<std::tuple<bool, std::string, std::size_t, std::size_t>, Ratios> byBand;
  const bool isHeldOut = !validation.fit.networks.empty();
  const auto others = isHeldOut ? rangesOfOthers(validation) : std::map<std::string, PredictionRanges>();
  for (const AtlasRatio& ratio : validation.ratios) {
    const std::size_t nodes = nodeBand(ratio.table->nodes);
    const std::size_t size = scaleSize(ratio.bytes);
    ErrorRange range;
    if (isHeldOut && ratio.cell)
      range = others.at(ratio.table->machine()).at(*ratio.cell, ratio.network, ratio.reach, ratio.bytes);
    const double measured = 1 / ratio.heldOut;
    for (const auto& [all, sizes] : {std::pair(false, size), std::pair(true, size), std::pair(true, kAllSizes)}) {
      Ratios& ratios = byBand[{all, all ? "all" : fabricOf(*ratio.table), nodes, sizes}];
      ratios.judged += range.isKnown();
      ratios.inside += range.isKnown() && measured >= range.low && measured <= range.high;
      ratios.nominal.push_back(std::log(ratio.nominal));
      ratios.heldOut.push_back(std::log(ratio.heldOut));
      ratios.machines.insert(ratio.table->machine());
    }
  }
  std::vector<ScaleBand> bands;
  for (const auto& [key, ratios] : byBand) {
    bands.push_back({std::get<1>(key), std::get<2>(key), std::get<3>(key), ratios.nominal.size(),
                     ratios.machines.size(), upperMedianOf(magnitudes(ratios.nominal)), upperMedianOf(ratios.nominal),
                     upperMedianOf(magnitudes(ratios.heldOut)), upperMedianOf(ratios.heldOut),
                     ratios.judged > 0 ? double(ratios.inside) / double(ratios.judged) : -1, ratios.judged,
                     ratios.inside});
  }
  return bands;
}

std::pair<std::size_t, std::size_t> heldByChance(std::size_t times) {
  constexpr double kHeld = 0.8;
  constexpr double kTail = 0.025;
  const auto n = static_cast<double>(times);
  std::pair<std::size_t, std::size_t> range{times, 0};
  double below = 0;
  for (std::size_t held = 0; held <= times; ++held) {
    const auto k = static_cast<double>(held);
    const double chance = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                                   k * std::log(kHeld) + (n - k) * std::log(1 - kHeld));
    if (below + chance > kTail) range.first = std::min(range.first, held);
    if (1 - below >= kTail) range.second = held;
    below += chance;
  }
  return range;
}

bool ScaleBand::holds() const {
  constexpr double kLeast = 0.75;
  constexpr double kMost = 0.9;
  if (coverage >= kLeast && coverage <= kMost) return true;
  const auto [least, most] = heldByChance(judged);
  return inside >= least && inside <= most;
}

void printScaleBands(const std::vector<ScaleBand>& bands) {
  std::printf("%-12s %-7s %-11s %6s %8s %18s %18s %8s\n", "fabric", "nodes", "sizes", "times", "machines",
              "|ln|, ln nominal", "|ln|, ln held out", "inside");
  for (const ScaleBand& band : bands) {
    std::printf("%-12s %-7s %-11s %6zu %8zu %9.3f %+8.3f %9.3f %+8.3f %7.0f%%\n", band.fabric.c_str(),
                kNodeBandNames[band.nodes].data(), band.sizes == kAllSizes ? "all" : kScaleSizeNames[band.sizes].data(),
                band.times, band.machines, band.nominal, band.nominalSigned, band.heldOut, band.heldOutSigned,
                100 * band.coverage);
  }
}

}  // namespace p2
