// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/atlas/free_curves.h"

#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "atlas/predictions.h"
#include "base/median.h"

namespace p2 {
namespace {

struct FreeTime {
  std::string machine;
  std::string collective;
  bool acrossNodes = false;
  double bytes = 0;
  double logRatio = 0;  ///< of predicted over measured

  [[nodiscard]] std::size_t band() const { return sizeBand(Bytes(bytes)); }
  [[nodiscard]] auto point() const {
    return std::tuple(collective, acrossNodes, static_cast<int>(std::lround(std::log2(bytes))));
  }
  [[nodiscard]] auto level() const { return std::tuple(machine, collective, acrossNodes, band()); }
};

std::vector<FreeTime> freeTimes() {
  std::vector<FreeTime> times;
  for (const AtlasTable& table : atlasTables()) {
    const auto predicted = table.healthy == "yes" ? predictionOf(table) : Result<TablePrediction>(Error{"not healthy"});
    if (!predicted.ok()) continue;
    std::map<double, std::vector<double>> measured;
    for (const AtlasRow& row : table.rows) measured[row.bytes].push_back(row.seconds);
    for (const auto& [bytes, seconds] : predicted->seconds) {
      times.push_back({table.machine(), table.collective, table.nodes > 1, bytes,
                       std::log(seconds / upperMedianOf(measured.at(bytes)))});
    }
  }
  return times;
}

using Group = std::vector<const FreeTime*>;

/// The median of those that `counts` says.
template <class Counts>
double middleOf(const Group& group, const Counts& counts) {
  std::vector<double> ratios;
  for (const FreeTime* time : group) {
    if (counts(*time)) ratios.push_back(time->logRatio);
  }
  return upperMedianOf(ratios);
}

}  // namespace

std::array<FreeCurve, kSizeBands> freeCurves() {
  const std::vector<FreeTime> times = freeTimes();
  std::map<decltype(times[0].point()), Group> points;
  std::map<decltype(times[0].level()), Group> levels;
  for (const FreeTime& time : times) {
    points[time.point()].push_back(&time);
    levels[time.level()].push_back(&time);
  }
  const auto all = [](const FreeTime&) { return true; };
  std::array<std::array<std::vector<double>, 4>, kSizeBands> errors;
  for (const FreeTime& time : times) {
    const Group& equal = points.at(time.point());
    const double inSample = middleOf(equal, all);
    const double heldOut = middleOf(equal, [&](const FreeTime& other) { return other.machine != time.machine; });
    const double byMachine = middleOf(levels.at(time.level()), all);
    auto& band = errors[time.band()];
    band[0].push_back(std::abs(std::expm1(time.logRatio)));
    band[1].push_back(std::abs(std::expm1(time.logRatio - inSample)));
    band[2].push_back(std::abs(std::expm1(time.logRatio - heldOut)));
    band[3].push_back(std::abs(std::expm1(time.logRatio - byMachine)));
  }
  std::array<FreeCurve, kSizeBands> curves;
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    const auto& found = errors[band];
    curves[band] = {static_cast<std::int64_t>(found[0].size()), upperMedianOf(found[0]), upperMedianOf(found[1]),
                    upperMedianOf(found[2]), upperMedianOf(found[3])};
  }
  return curves;
}

}  // namespace p2
