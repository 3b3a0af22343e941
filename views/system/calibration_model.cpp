// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/calibration_model.h"

#include <utility>

#include "base/units.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

QString nothing() { return QStringLiteral("–"); }

QString textOf(const FittedInterconnect& link, int column) {
  const auto bandwidth = [](double value) { return bandwidthText(value); };
  const auto seconds = [](double value) { return secondsText(value); };
  switch (column) {
    case CalibrationModel::Name:
      return qs(link.name);
    case CalibrationModel::Bandwidth:
      return bandwidth(link.bandwidth);
    case CalibrationModel::FittedBandwidth:
      return link.fitted > 0 ? bandwidth(link.fitted) : nothing();
    case CalibrationModel::Latency:
      return seconds(link.latency);
    case CalibrationModel::FittedLatency:
      return link.fittedLatency >= 0 ? seconds(link.fittedLatency) : nothing();
    default:
      return QString::number(link.rows);
  }
}

QString textOf(const FittedCap& cap, int column) {
  const auto bandwidth = [](double value) { return value > 0 ? bandwidthText(value) : nothing(); };
  switch (column) {
    case CalibrationModel::Name:
      return qs(cap.name);
    case CalibrationModel::Bandwidth:
      return bandwidth(cap.nominal);
    case CalibrationModel::FittedBandwidth:
      return bandwidth(cap.fitted);
    case CalibrationModel::Measurements:
      return QString::number(cap.rows);
    default:
      return {};
  }
}

}  // namespace

void CalibrationModel::setFigures(std::vector<FittedInterconnect> interconnects, std::vector<FittedCap> caps) {
  reset([&] {
    m_interconnects = std::move(interconnects);
    m_caps = std::move(caps);
  });
}

std::vector<TableColumn> CalibrationModel::columns() const {
  return {{tr("Interconnect"),
           tr("Levels from the outside in, then networks; then the bandwidth of one ring or tree over their links")},
          {tr("Bandwidth"), tr("Nominal, per port or link and direction"), true},
          {tr("Fitted"), tr("Best fit to the measurements; – if no measurement is limited by it"), true},
          {tr("Latency"), tr("Nominal, per crossing"), true},
          {tr("Fitted"), tr("Best fit to the measurements; – if they do not determine it"), true},
          {tr("Measurements"), tr("Number of measurements with a step that it limits"), true}};
}

QString CalibrationModel::text(int row, int column) const {
  const std::size_t links = m_interconnects.size();
  const auto number = std::size_t(row);
  return number < links ? textOf(m_interconnects[number], column) : textOf(m_caps[number - links], column);
}

QString errorText(const FitError& error) {
  return QObject::tr("median error %1, %2 of %3 within 25 %")
      .arg(qs(formatPercent(error.median)))
      .arg(error.within25)
      .arg(error.rows);
}

}  // namespace p2::views
