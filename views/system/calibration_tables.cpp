// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/calibration_tables.h"

#include <QCoreApplication>
#include <algorithm>

#include "base/units.h"
#include "cost/calibration/library_report.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("CalibrationTables", text); }
QString textOf(const std::string& text) { return qs(text); }
QString percent(const FitError& error) {
  return error.rows == 0 ? QStringLiteral("–") : textOf(formatPercent(error.median));
}

}  // namespace

std::vector<TextRowsModel::Column> parameterColumns() {
  return {{tr("parameter"), tr("A constant of the nccl model, or a figure of an interconnect"), true},
          {tr("nominal"), tr("Prior: the model's own value or the system's"), false},
          {tr("fitted"), tr("Best fit to the measurements"), false},
          {tr("open"), tr("Standard error, with all other parameters unknown too"), false},
          {tr("by these measurements"),
           tr("Determined: less than half of the prior uncertainty remains; weakly: less than 90 %"), true}};
}

std::vector<QStringList> parameterRows(const Calibration& calibration) {
  std::vector<const FittedParameter*> order;
  for (const FittedParameter& parameter : calibration.parameters) order.push_back(&parameter);
  std::stable_sort(order.begin(), order.end(),
                   [](const FittedParameter* a, const FittedParameter* b) { return a->determined < b->determined; });
  std::vector<QStringList> rows;
  for (const FittedParameter* parameter : order) {
    rows.push_back({textOf(titleOf(*parameter)), textOf(valueText(*parameter, parameter->nominal)),
                    textOf(valueText(*parameter, parameter->value)), textOf(openText(*parameter)),
                    textOf(determinedText(parameter->determined))});
  }
  return rows;
}

std::vector<TextRowsModel::Column> bandColumns() {
  return {{tr("sizes"), tr("Size of the measured vectors"), true},
          {tr("rows"), tr("Number of measurements"), false},
          {tr("nominal"), tr("Median error with the nominal values"), false},
          {tr("fitted"), tr("Median error with the fitted ones"), false},
          {tr("held out"), tr("Median error of measurements predicted by a fit to others"), false}};
}

std::vector<QStringList> bandRows(const Calibration& calibration) {
  std::vector<QStringList> rows;
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    const BandErrors& errors = calibration.bands[band];
    if (errors.before.rows == 0) continue;
    rows.push_back({textOf(std::string(kSizeBandNames[band])), QString::number(errors.before.rows),
                    percent(errors.before), percent(errors.after), percent(errors.heldOut)});
  }
  return rows;
}

std::vector<TextRowsModel::Column> rangeColumns() {
  return {{tr("steps"), tr("Steps of programs, by collective, nodes and size"), true},
          {tr("80 % of times"), tr("Ratio of measured to predicted time"), false},
          {tr("rows"), tr("Held-out measurements behind it"), false}};
}

std::vector<QStringList> rangeRows(const Calibration& calibration) {
  std::vector<QStringList> rows;
  for (const PredictionRange& range : calibration.system.ranges) {
    rows.push_back({textOf(titleOf(range)), textOf(rangeText(range)), QString::number(range.measurements)});
  }
  return rows;
}

}  // namespace p2::views
