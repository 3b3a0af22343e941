// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/calibration_model.h"

#include <utility>

#include "base/units.h"
#include "views/common/text.h"
#include "views/common/theme.h"

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
  beginResetModel();
  m_interconnects = std::move(interconnects);
  m_caps = std::move(caps);
  endResetModel();
}

int CalibrationModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(m_interconnects.size() + m_caps.size());
}

int CalibrationModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QVariant CalibrationModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (role == Qt::TextAlignmentRole) return int((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  const QStringList titles{tr("Interconnect"), tr("Bandwidth"), tr("Fitted"),
                           tr("Latency"),      tr("Fitted"),    tr("Measurements")};
  const QStringList tips{
      tr("Levels from the outside in, then networks; then the bandwidth of one ring or tree over their links"),
      tr("Nominal, per port or link and direction"),
      tr("Best fit to the measurements; – if no measurement is limited by it"),
      tr("Nominal, per crossing"),
      tr("Best fit to the measurements; – if they do not determine it"),
      tr("Number of measurements with a step that it limits")};
  if (role == Qt::DisplayRole) return titles[section];
  return role == Qt::ToolTipRole ? QVariant(tips[section]) : QVariant();
}

QString CalibrationModel::text(std::size_t row, int column) const {
  const std::size_t links = m_interconnects.size();
  return row < links ? textOf(m_interconnects[row], column) : textOf(m_caps[row - links], column);
}

QVariant CalibrationModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  switch (role) {
    case Qt::DisplayRole:
      return text(std::size_t(index.row()), index.column());
    case Qt::TextAlignmentRole:
      return headerData(index.column(), Qt::Horizontal, role);
    case Qt::FontRole:
      return Theme::tabularFont();
    default:
      return {};
  }
}

QString errorText(const FitError& error) {
  return QObject::tr("median error %1, %2 of %3 within 25 %")
      .arg(qs(formatPercent(error.median)))
      .arg(error.within25)
      .arg(error.rows);
}

}  // namespace p2::views
