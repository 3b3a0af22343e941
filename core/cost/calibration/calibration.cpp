// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration/calibration.h"

#include <algorithm>
#include <numeric>

#include "base/counted.h"
#include "cost/calibration/detail/calibration_fit.h"
#include "cost/calibration/library_report.h"
#include "system/interconnects.h"
#include "system/properties.h"

namespace p2::inline cost {
namespace {

using RowList = CalibrationRows::List;

std::vector<PredictedTime> timesOf(const CalibrationRows& rows, const RowList& list, const Figures& figures) {
  const std::vector<double> before = rows.predicted(rows.nominal(), list);
  const std::vector<double> after = rows.predicted(figures, list);
  std::vector<PredictedTime> times;
  for (std::size_t i = 0; i < list.size(); ++i) {
    PredictedTime time{rows.measured(list[i]), before[i], after[i], 0, 0, {}, rows.cost(list[i]).bytes};
    for (const LoweredStep& step : rows.steps(list[i])) {
      time.cells.push_back(cellOf(rows.system(list[i]), step, time.bytes));
    }
    times.push_back(std::move(time));
  }
  return times;
}

/// Row by row, predicted by a fit to the rows outside its fold.
std::vector<double> heldOutSeconds(const CalibrationRows& rows, std::size_t folds, const std::stop_token& stop,
                                   const Progress& progress) {
  std::vector<double> seconds(rows.size(), 0);
  for (std::size_t fold = 0; fold < folds; ++fold) {
    RowList used;
    RowList held;
    for (std::size_t row = 0; row < rows.size(); ++row) (row % folds == fold ? held : used).push_back(row);
    const std::vector<double> more = rows.predicted(CalibrationFit(rows, used, stop).best(), held);
    for (std::size_t i = 0; i < held.size(); ++i) seconds[held[i]] = more[i];
    if (progress) progress(static_cast<double>(fold + 2) / static_cast<double>(folds + 1));
  }
  return seconds;
}

/// A link that the measurements never found busy can be fitted beyond a system's valid range.
double withinRange(double bandwidth) {
  const PropertyInfo& range = propertyOf(interconnectProperties(), "fittedBandwidth")->info;
  return bandwidth == 0 ? 0 : std::clamp(bandwidth, range.least, range.most);
}

void writeDownCaps(const CalibrationRows& rows, const std::vector<TimeProfile>& profiles, const Figures& figures,
                   Calibration& result) {
  const auto placed = interconnects(result.system);
  for (const bool tree : {false, true}) {
    for (std::size_t i = 0; i < placed.size(); ++i) {
      const std::size_t slowness = tree ? figures.treeCap(i) : figures.ringCap(i);
      Interconnect& link = placed[i].link;
      (tree ? link.fittedTreeCap : link.fittedRingCap) = 0;
      if (!rows.canTell(slowness)) continue;
      FittedCap cap{result.interconnects[i].name + (tree ? ", one tree" : ", one ring"),
                    tree ? link.treeCap : link.ringCap, 0, rowsLimitedBy(slowness, profiles, figures)};
      // A nominal cap that the measurements are faster than is replaced as well.
      if (cap.rows > 0 || cap.nominal > 0) cap.fitted = withinRange(link.bandwidth / figures.slowness[slowness]);
      (tree ? link.fittedTreeCap : link.fittedRingCap) = cap.fitted;
      result.caps.push_back(std::move(cap));
    }
  }
}

void writeDown(const CalibrationRows& rows, const RowList& all, const Figures& figures, Calibration& result) {
  const std::vector<TimeProfile> profiles = rows.profiles(figures, all);
  const auto placed = interconnects(result.system);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    Interconnect& link = placed[i].link;
    FittedInterconnect fitted{link.name, link.bandwidth, 0, link.latency, -1, 0};
    if (placed[i].place.kind == Place::Kind::Interconnect)
      fitted.name += (link.name.empty() ? "" : " of ") + placed[i].name;
    bool delays = false;
    fitted.rows = rowsLimitedBy(i, profiles, figures);
    for (const TimeProfile& profile : profiles) {
      delays = delays || (!profile.perLatency.empty() && profile.perLatency[i] > 0);
    }
    if (fitted.rows > 0) fitted.fitted = withinRange(link.bandwidth / figures.slowness[i]);
    if (delays) fitted.fittedLatency = figures.latency[i];
    link.fittedBandwidth = fitted.fitted;
    link.fittedLatency = fitted.fittedLatency;
    result.interconnects.push_back(std::move(fitted));
  }
  writeDownCaps(rows, profiles, figures, result);
  result.system.calibrated = true;
}

}  // namespace

Result<Calibration> calibrate(const System& system, const std::vector<MeasuredTime>& measurements, int folds,
                              std::stop_token stop, const Progress& progress) {
  P2_TRY(checkParts(system));
  if (measurements.empty()) return Error{"there are no measurements to fit to"};
  if (system.deviceCount() > kMostCalibratedDevices) {
    return Error{"the system has " + countedText(system.deviceCount(), "device") + "; at most " +
                 std::to_string(kMostCalibratedDevices) + " can be calibrated"};
  }
  P2_TRY_ASSIGN(const auto rows, CalibrationRows::prepared(system, measurements, stop));
  RowList all(rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Calibration result;
  result.system = system;
  const Figures figures = CalibrationFit(rows, all, stop).best();
  std::vector<PredictedTime> times = timesOf(rows, all, figures);
  if (stop.stop_requested()) return cancelledError();
  const std::size_t parts = std::min(rows.size(), static_cast<std::size_t>(std::max(folds, 1)));
  if (progress) progress(1 / static_cast<double>(parts + 1));
  if (parts > 1) {
    const std::vector<double> heldOut = heldOutSeconds(rows, parts, stop, progress);
    for (std::size_t i = 0; i < times.size(); ++i) times[i].heldOut = heldOut[i];
  }
  tellErrors(times, "paper", result);
  writeDown(rows, all, figures, result);
  if (stop.stop_requested()) return cancelledError();
  return result;
}

}  // namespace p2::inline cost
