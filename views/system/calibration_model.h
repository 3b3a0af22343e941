// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "cost/calibration/calibration.h"

namespace p2::views {

/// Nominal and fitted figures, one interconnect per row, and below them one row for every cap that the measurements can
/// tell.
class CalibrationModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Name, Bandwidth, FittedBandwidth, Latency, FittedLatency, Measurements, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;
  void setFigures(std::vector<FittedInterconnect> interconnects, std::vector<FittedCap> caps);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  [[nodiscard]] QString text(std::size_t row, int column) const;

  std::vector<FittedInterconnect> m_interconnects;
  std::vector<FittedCap> m_caps;
};

/// "median error 16.6 %, 12 of 20 within 25 %".
[[nodiscard]] QString errorText(const FitError& error);

}  // namespace p2::views
