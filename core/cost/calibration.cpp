// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cost/calibration_fit.h"
#include "system/interconnects.h"
#include "system/properties.h"

namespace p2 {
namespace {

using RowList = CalibrationRows::List;

/// Sizes of relative errors, row by row.
std::vector<double> errorsOf(const CalibrationRows& rows, const RowList& list, const Figures& figures) {
  std::vector<double> errors;
  const std::vector<double> predicted = rows.predicted(figures, list);
  for (std::size_t i = 0; i < list.size(); ++i) errors.push_back(std::abs(predicted[i] / rows.measured(list[i]) - 1));
  return errors;
}

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

std::vector<double> heldOutErrors(const CalibrationRows& rows, std::size_t folds, const std::stop_token& stop,
                                  const Progress& progress) {
  std::vector<double> errors;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    RowList used;
    RowList held;
    for (std::size_t row = 0; row < rows.size(); ++row) (row % folds == fold ? held : used).push_back(row);
    const std::vector<double> more = errorsOf(rows, held, CalibrationFit(rows, used, stop).best());
    errors.insert(errors.end(), more.begin(), more.end());
    if (progress) progress(static_cast<double>(fold + 2) / static_cast<double>(folds + 1));
  }
  return errors;
}

/// A link that the measurements never found busy can be fitted beyond what a system may say.
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
    return Error{"the system has " + std::to_string(system.deviceCount()) + " devices; at most " +
                 std::to_string(kMostCalibratedDevices) + " can be calibrated"};
  }
  P2_TRY_ASSIGN(const auto rows, CalibrationRows::prepared(system, measurements));
  RowList all(rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Calibration result;
  result.system = system;
  const Figures figures = CalibrationFit(rows, all, stop).best();
  result.before = summary(errorsOf(rows, all, rows.nominal()));
  result.after = summary(errorsOf(rows, all, figures));
  const std::size_t parts = std::min(rows.size(), static_cast<std::size_t>(std::max(folds, 1)));
  if (progress) progress(1 / static_cast<double>(parts + 1));
  if (parts > 1) result.heldOut = summary(heldOutErrors(rows, parts, stop, progress));
  writeDown(rows, all, figures, result);
  if (stop.stop_requested()) return cancelledError();
  return result;
}

}  // namespace p2
