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
QString percent(const FitError& error) {
  return error.rows == 0 ? QStringLiteral("–") : qs(formatPercent(error.median));
}

}  // namespace

std::vector<TableColumn> parameterColumns() {
  return {{tr("parameter"), tr("A constant of the nccl model, or a figure of an interconnect")},
          {tr("nominal"), tr("Prior: the model's own value or the system's"), true},
          {tr("fitted"), tr("Best fit to the measurements"), true},
          {tr("open"), tr("Standard error, with all other parameters unknown too"), true},
          {tr("by these measurements"),
           tr("Determined: less than half of the prior uncertainty remains; weakly: less than 90 %")}};
}

std::vector<QStringList> parameterRows(const Calibration& calibration) {
  std::vector<const FittedParameter*> order;
  for (const FittedParameter& parameter : calibration.parameters) order.push_back(&parameter);
  std::stable_sort(order.begin(), order.end(),
                   [](const FittedParameter* a, const FittedParameter* b) { return a->determined < b->determined; });
  std::vector<QStringList> rows;
  for (const FittedParameter* parameter : order) {
    rows.push_back({qs(titleOf(*parameter)), qs(valueText(*parameter, parameter->nominal)),
                    qs(valueText(*parameter, parameter->value)), qs(openText(*parameter)),
                    qs(determinedText(parameter->determined))});
  }
  return rows;
}

std::vector<TableColumn> bandColumns() {
  return {{tr("sizes"), tr("Size of the measured vectors")},
          {tr("rows"), tr("Number of measurements"), true},
          {tr("nominal"), tr("Median error with the nominal values"), true},
          {tr("fitted"), tr("Median error with the fitted values"), true},
          {tr("held out"), tr("Median error of measurements predicted by a fit to others"), true}};
}

std::vector<QStringList> bandRows(const Calibration& calibration) {
  std::vector<QStringList> rows;
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    const BandErrors& errors = calibration.bands[band];
    if (errors.before.rows == 0) continue;
    rows.push_back({qs(std::string(kSizeBandNames[band])), QString::number(errors.before.rows), percent(errors.before),
                    percent(errors.after), percent(errors.heldOut)});
  }
  return rows;
}

std::vector<TableColumn> rangeColumns() {
  return {{tr("steps"), tr("Steps of programs, by collective, nodes and size")},
          {tr("80 % of times"), tr("Ratio of measured to predicted time"), true},
          {tr("rows"), tr("Held-out measurements that the interval is from"), true}};
}

std::vector<QStringList> rangeRows(const Calibration& calibration) {
  std::vector<QStringList> rows;
  for (const PredictionRange& range : calibration.system.ranges) {
    rows.push_back({qs(titleOf(range)), qs(rangeText(range)), QString::number(range.measurements)});
  }
  return rows;
}

}  // namespace p2::views
