// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "cost/calibration.h"

namespace p2::views {

/// Nominal and fitted figures, one interconnect per row.
class CalibrationModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Name, Bandwidth, FittedBandwidth, Latency, FittedLatency, Measurements, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;
  void setInterconnects(std::vector<FittedInterconnect> interconnects);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  std::vector<FittedInterconnect> m_interconnects;
};

/// "median error 16.6 %, 12 of 20 within 25 %".
[[nodiscard]] QString errorText(const FitError& error);

}  // namespace p2::views
