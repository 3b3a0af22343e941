// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "whatif/what_if.h"

namespace p2::views {

/// Points of a change, one a row: the kept configuration and the best one, with price and energy of a token where they
/// are known.
class PointsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Change, Devices, Kept, Best, BestThere, Price, Energy, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;
  void setPoints(std::shared_ptr<const std::vector<WhatIfPoint>> points);
  void setCost(const RunningCost& cost);
  void setStale(bool stale);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  [[nodiscard]] QString text(const WhatIfPoint& point, int column) const;

  std::shared_ptr<const std::vector<WhatIfPoint>> m_points;
  RunningCost m_cost;
  bool m_stale = false;
};

/// "0.63": three digits of a price or an energy.
[[nodiscard]] QString amountText(double value);

}  // namespace p2::views
