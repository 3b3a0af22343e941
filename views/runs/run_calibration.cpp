// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_calibration.h"

#include <QCoreApplication>
#include <algorithm>

#include "cost/calibration/library_calibration.h"
#include "cost/ranking_quality.h"
#include "explore/run_prediction.h"
#include "plan/plan.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

constexpr int kFolds = 2;

QString tr(const char* text, int n = -1) { return QCoreApplication::translate("RunCalibration", text, nullptr, n); }

/// A run as something that can be predicted: its workspace, when it was made from a plan for these levels.
std::optional<Workspace> workspaceOf(const RunRow& row, const System& system, const std::stop_token& stop) {
  if (row.failed()) return std::nullopt;
  auto plan = planFromJson(row.plan.toStdString(), stop);
  if (!plan.ok()) return std::nullopt;
  const auto& levels = plan->workspace().system.levels;
  const bool same = std::equal(levels.begin(), levels.end(), system.levels.begin(), system.levels.end(),
                               [](const Level& a, const Level& b) { return a.name == b.name && a.count == b.count; });
  if (!same) return std::nullopt;
  return plan->workspace();
}

MeasuredTime measurementOf(const RunRow& row, const Workspace& workspace) {
  MeasuredTime measurement;
  measurement.axes = workspace.axes;
  measurement.matrix = workspace.matrix;
  measurement.program = workspace.program;
  measurement.cost = workspace.options.cost;
  measurement.cost.bytes = row.result->bytes;
  measurement.cost.repeat = 1;
  if (measurement.cost.algorithm != Algorithm::Auto) measurement.forced = measurement.cost.algorithm;
  measurement.seconds = row.result->seconds.median;
  return measurement;
}

/// The runs as predicted with a system.
Result<std::vector<Comparison>> compared(const std::vector<RunRow>& rows, const System& shape, const System& system,
                                         const std::stop_token& stop) {
  std::vector<Comparison> all;
  for (const RunRow& row : rows) {
    auto workspace = workspaceOf(row, shape, stop);
    if (stop.stop_requested()) return cancelledError();
    if (!workspace) continue;
    workspace->system = system;
    P2_TRY_ASSIGN(const auto predicted, predictRun(std::move(*workspace), row.result->bytes, row.result->pieces, stop));
    all.push_back({predicted.rankedSeconds(), row.result->seconds.median});
  }
  return all;
}

Result<RunError> errorOf(const std::vector<RunRow>& rows, const System& nominal, const System& fitted,
                         const std::stop_token& stop) {
  P2_TRY_ASSIGN(const auto before, compared(rows, nominal, nominal, stop));
  if (before.empty()) return RunError{};
  P2_TRY_ASSIGN(const auto after, compared(rows, nominal, fitted, stop));
  return RunError{before.size(), medianError(before), medianError(after)};
}

}  // namespace

Result<RunCalibration> calibrateFrom(const System& system, const std::string& model, const std::vector<RunRow>& used,
                                     const std::vector<RunRow>& others, const std::stop_token& stop,
                                     const Progress& progress) {
  std::vector<MeasuredTime> measurements;
  for (const RunRow& row : used) {
    const auto workspace = workspaceOf(row, system, stop);
    if (stop.stop_requested()) return cancelledError();
    if (!workspace) {
      return Error{tr("the run of %1 was not made from a plan for this system; choose runs on %2")
                       .arg(row.when.toString("yyyy-MM-dd HH:mm:ss"), qs(system.name))
                       .toStdString()};
    }
    if (row.result->pieces > 1) {
      return Error{
          tr("steps overlapped in the run of %1, so the time of each is unknown; choose runs without overlapping steps")
              .arg(row.when.toString("yyyy-MM-dd HH:mm:ss"))
              .toStdString()};
    }
    measurements.push_back(measurementOf(row, *workspace));
  }
  if (measurements.empty()) return Error{tr("no run to fit to; choose successful runs").toStdString()};
  System nominal = system;
  nominal.calibrated = false;
  P2_TRY_ASSIGN(auto fitted, calibrateUnder(model, nominal, measurements, HoldOut::Auto, kFolds, stop, progress));
  P2_TRY_ASSIGN(const auto ofUsed, errorOf(used, nominal, fitted.system, stop));
  P2_TRY_ASSIGN(const auto ofOthers, errorOf(others, nominal, fitted.system, stop));
  const auto determined =
      std::count_if(fitted.parameters.begin(), fitted.parameters.end(),
                    [](const FittedParameter& parameter) { return parameter.determined == Determined::Yes; });
  return RunCalibration{fitted.system, ofUsed, ofOthers, std::size_t(determined), fitted.heldOut};
}

QString calibrationText(const RunCalibration& calibration) {
  const auto percent = [](double share) { return qs(formatPercent(share)); };
  QString text = tr("The system's links are fitted to %1: error %2 (was %3)")
                     .arg(counted(std::int64_t(calibration.used.runs), tr("run"), tr("runs")),
                          percent(calibration.used.after), percent(calibration.used.before));
  if (calibration.heldOut.rows > 0) text += tr(", %1 held out").arg(percent(calibration.heldOut.median));
  if (calibration.others.runs > 0) {
    text += tr(", %1 by %2 instead of %3")
                .arg(counted(std::int64_t(calibration.others.runs), tr("other"), tr("others")),
                     percent(calibration.others.after), percent(calibration.others.before));
  }
  if (calibration.determined > 0) {
    text += tr("; %1 determined")
                .arg(counted(std::int64_t(calibration.determined), tr("parameter is"), tr("parameters are")));
  }
  return text + tr(". Undo to revert.");
}

}  // namespace p2::views
