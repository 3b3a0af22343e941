// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/atlas/scale_bands.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "atlas/detail/median.h"

namespace p2 {
namespace {

std::string fabricOf(const AtlasTable& table) {
  if (table.nodes == 1) return "one node";
  for (const std::string_view name : {"MNNVL", "TCP", "Slingshot", "EFA v1", "EFA", "RoCE"}) {
    if (table.fabric.find(name) != std::string::npos) return std::string(name);
  }
  return table.fabric.starts_with("IB") ? "InfiniBand" : "other";
}

struct Ratios {
  std::vector<double> nominal;
  std::vector<double> heldOut;
  std::set<std::string> machines;
};

std::vector<double> magnitudes(std::vector<double> logarithms) {
  for (double& value : logarithms) value = std::abs(value);
  return logarithms;
}

}  // namespace

std::size_t nodeBand(std::int64_t nodes) {
  return nodes == 1 ? 0 : nodes <= 8 ? 1 : nodes <= 48 ? 2 : nodes <= 128 ? 3 : 4;
}

std::size_t scaleSize(Bytes bytes) {
  constexpr double kLarge = 268435456;
  return sizeBand(bytes) < 2 ? sizeBand(bytes) : bytes.value() < kLarge ? 2 : 3;
}

std::vector<ScaleBand> scaleBands(const AtlasValidation& validation) {
  std::map<std::tuple<bool, std::string, std::size_t, std::size_t>, Ratios> byBand;
  for (const AtlasRatio& ratio : validation.ratios) {
    const std::size_t nodes = nodeBand(ratio.table->nodes);
    const std::size_t size = scaleSize(ratio.bytes);
    for (const bool all : {false, true}) {
      Ratios& ratios = byBand[{all, all ? "all" : fabricOf(*ratio.table), nodes, size}];
      ratios.nominal.push_back(std::log(ratio.nominal));
      ratios.heldOut.push_back(std::log(ratio.heldOut));
      ratios.machines.insert(ratio.table->machine());
    }
  }
  std::vector<ScaleBand> bands;
  for (const auto& [key, ratios] : byBand) {
    bands.push_back({std::get<1>(key), std::get<2>(key), std::get<3>(key), ratios.nominal.size(),
                     ratios.machines.size(), medianOf(magnitudes(ratios.nominal)), medianOf(ratios.nominal),
                     medianOf(magnitudes(ratios.heldOut)), medianOf(ratios.heldOut)});
  }
  return bands;
}

void printScaleBands(const std::vector<ScaleBand>& bands) {
  std::printf("%-12s %-7s %-11s %6s %8s %18s %18s\n", "fabric", "nodes", "sizes", "times", "machines",
              "|ln|, ln nominal", "|ln|, ln held out");
  for (const ScaleBand& band : bands) {
    std::printf("%-12s %-7s %-11s %6zu %8zu %9.3f %+8.3f %9.3f %+8.3f\n", band.fabric.c_str(),
                kNodeBandNames[band.nodes].data(), kScaleSizeNames[band.sizes].data(), band.times, band.machines,
                band.nominal, band.nominalSigned, band.heldOut, band.heldOutSigned);
  }
}

}  // namespace p2
