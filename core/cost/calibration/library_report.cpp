// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/library_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/units.h"
#include "cost/calibration/system_tuning.h"

namespace p2::inline cost {
namespace {

FitError summary(std::vector<double> errors) {
  FitError result;
  result.rows = errors.size();
  if (errors.empty()) return result;
  std::sort(errors.begin(), errors.end());
  const std::size_t middle = errors.size() / 2;
  result.median = errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
  result.within25 =
      static_cast<std::size_t>(std::count_if(errors.begin(), errors.end(), [](double error) { return error <= 0.25; }));
  return result;
}

struct Errors {
  std::vector<double> before;
  std::vector<double> after;
  std::vector<double> heldOut;

  void add(const PredictedTime& time) {
    before.push_back(std::abs(time.before / time.measured - 1));
    after.push_back(std::abs(time.after / time.measured - 1));
    if (time.heldOut > 0) heldOut.push_back(std::abs(time.heldOut / time.measured - 1));
  }
  [[nodiscard]] BandErrors summaries() const { return {summary(before), summary(after), summary(heldOut)}; }
};

}  // namespace

void tellErrors(std::span<const PredictedTime> times, std::string_view model, Calibration& calibration) {
  Errors all;
  std::array<Errors, kSizeBands> byBand;
  std::vector<HeldOutTime> heldOut;
  for (const PredictedTime& time : times) {
    all.add(time);
    byBand[sizeBand(time.bytes)].add(time);
    if (!(time.heldOut > 0)) continue;
    // A program's steps are not measured one by one: each is taken to be off as the program is.
    for (const RangeCell& cell : time.cells) {
      heldOut.push_back({cell, time.measured / time.heldOut, time.spread, 1,
                         GroupReach{cell.acrossNodes ? time.nodes : 0}, NetworkKind::Other, time.bytes});
    }
  }
  const BandErrors errors = all.summaries();
  calibration.before = errors.before;
  calibration.after = errors.after;
  calibration.heldOut = errors.heldOut;
  for (std::size_t band = 0; band < kSizeBands; ++band) calibration.bands[band] = byBand[band].summaries();
  std::erase_if(calibration.system.ranges, [&](const PredictionRange& range) { return range.model == model; });
  const std::vector<PredictionRange> ranges = systemRanges(rangesOf(heldOut), model);
  calibration.system.ranges.insert(calibration.system.ranges.end(), ranges.begin(), ranges.end());
}

std::string determinedText(Determined determined) {
  switch (determined) {
    case Determined::Yes:
      return "determined";
    case Determined::Weakly:
      return "weakly";
    case Determined::No:
      break;
  }
  return "not by these measurements";
}

std::string titleOf(const FittedParameter& parameter) {
  switch (parameter.kind) {
    case FittedParameter::Kind::Bandwidth:
      return "bandwidth of " + parameter.name;
    case FittedParameter::Kind::Latency:
      return "latency of " + parameter.name;
    case FittedParameter::Kind::Constant:
      break;
  }
  return parameter.name;
}

std::string valueText(const FittedParameter& parameter, double value) {
  // Of constants there are times of micro- and nanoseconds, bandwidths of giga- and megabytes, and plain numbers.
  constexpr double kLongestTime = 1e-2;
  constexpr double kLeastBandwidth = 1e6;
  const bool constant = parameter.kind == FittedParameter::Kind::Constant;
  if (parameter.kind == FittedParameter::Kind::Latency || (constant && parameter.nominal < kLongestTime)) {
    return formatSeconds(value);
  }
  if (!constant || parameter.nominal > kLeastBandwidth) return formatBandwidth(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string openText(const FittedParameter& parameter) { return "± " + formatPercent(std::exp(parameter.error) - 1); }

std::string titleOf(const PredictionRange& range) {
  return range.steps + (range.acrossNodes ? " between nodes, " : " inside a node, ") + range.sizes;
}

std::string rangeText(const PredictionRange& range) {
  return formatSignedPercent(range.low - 1) + " to " + formatSignedPercent(range.high - 1);
}

}  // namespace p2::inline cost
