// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/atlas/noise_floor.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "atlas/predictions.h"
#include "base/median.h"

namespace p2 {
namespace {

/// A table as one time for each size.
struct FloorCurve {
  const AtlasTable* table = nullptr;
  System system;
  std::map<double, double> seconds;
  std::map<double, double> predicted;
};

std::vector<FloorCurve> floorCurves() {
  std::vector<FloorCurve> curves;
  for (const AtlasTable& table : atlasTables()) {
    if (table.healthy != "yes") continue;
    auto system = systemOf(table);
    const auto predicted = predictionOf(table);
    if (!system.ok() || !predicted.ok()) continue;
    FloorCurve curve{&table, std::move(system).value(), {}, predicted->seconds};
    std::map<double, std::vector<double>> bySize;
    for (const AtlasRow& row : table.rows) bySize[row.bytes].push_back(row.seconds);
    for (const auto& [bytes, seconds] : bySize) curve.seconds[bytes] = upperMedianOf(seconds);
    curves.push_back(std::move(curve));
  }
  return curves;
}

bool isSameDescription(const FloorCurve& a, const FloorCurve& b) {
  const Library& x = a.system.library;
  const Library& y = b.system.library;
  return a.table->collective == b.table->collective && a.table->algorithm == b.table->algorithm &&
         a.table->protocol == b.table->protocol && x.generation == y.generation && x.launch == y.launch &&
         (x.version.empty() || y.version.empty() || x.version == y.version) && a.system.levels == b.system.levels &&
         a.system.networks == b.system.networks;
}

/// Errors as they come, by band.
struct FloorErrors {
  std::array<std::vector<double>, kSizeBands> other;
  std::array<std::vector<double>, kSizeBands> model;

  void add(const FloorCurve& curve, double bytes, const std::vector<double>& others) {
    const auto predicted = curve.predicted.find(bytes);
    if (others.empty() || predicted == curve.predicted.end()) return;
    const double measured = curve.seconds.at(bytes);
    const std::size_t band = sizeBand(Bytes(bytes));
    other[band].push_back(std::abs(upperMedianOf(others) / measured - 1));
    model[band].push_back(std::abs(predicted->second / measured - 1));
  }

  [[nodiscard]] std::array<FloorError, kSizeBands> medians() const {
    std::array<FloorError, kSizeBands> errors;
    for (std::size_t band = 0; band < kSizeBands; ++band) {
      if (other[band].empty()) continue;
      errors[band] = {static_cast<std::int64_t>(other[band].size()), upperMedianOf(other[band]),
                      upperMedianOf(model[band])};
    }
    return errors;
  }
};

}  // namespace

double NoiseFloor::reachable(std::size_t band) const { return twins[band].other / std::sqrt(2.0); }

double NoiseFloor::ofTwins(std::size_t band, double FloorError::*error) const {
  std::vector<double> errors;
  for (const FloorTwin& sample : each) {
    if (sample.byBand[band].times > 0) errors.push_back(sample.byBand[band].*error);
  }
  return errors.empty() ? 0 : upperMedianOf(errors);
}

NoiseFloor noiseFloor() {
  const std::vector<FloorCurve> curves = floorCurves();
  FloorErrors repeated;
  FloorErrors twins;
  std::map<std::tuple<std::string, std::string, int, int>, FloorErrors> each;
  for (const FloorCurve& curve : curves) {
    std::vector<const FloorCurve*> same;
    for (const FloorCurve& other : curves) {
      if (&other != &curve && isSameDescription(curve, other)) same.push_back(&other);
    }
    const AtlasTable& table = *curve.table;
    for (const auto& [bytes, seconds] : curve.seconds) {
      std::vector<double> here;
      std::vector<double> elsewhere;
      for (const FloorCurve* other : same) {
        const auto found = other->seconds.find(bytes);
        if (found == other->seconds.end()) continue;
        (other->table->machine() == table.machine() ? here : elsewhere).push_back(found->second);
      }
      repeated.add(curve, bytes, here);
      twins.add(curve, bytes, elsewhere);
      each[{table.machine(), table.collective, table.gpusPerNode, table.nodes}].add(curve, bytes, elsewhere);
    }
  }
  NoiseFloor floor{repeated.medians(), twins.medians(), {}};
  for (const auto& [key, errors] : each) {
    const auto medians = errors.medians();
    if (std::all_of(medians.begin(), medians.end(), [](const FloorError& error) { return error.times == 0; })) continue;
    floor.each.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), std::get<3>(key), medians});
  }
  return floor;
}

}  // namespace p2
