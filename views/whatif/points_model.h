// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/common/rows_model.h"
#include "whatif/what_if.h"

namespace p2::views {

/// Points of a change, one a row: the kept configuration and the best one, with price and energy of a token where they
/// are known.
class PointsModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { Change, Devices, Kept, Best, BestThere, Price, Energy };

  using RowsModel::RowsModel;
  void setPoints(std::shared_ptr<const std::vector<WhatIfPoint>> points);
  void setCost(const RunningCost& cost);

 protected:
  [[nodiscard]] int count() const override { return m_points ? int(m_points->size()) : 0; }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;

 private:
  std::shared_ptr<const std::vector<WhatIfPoint>> m_points;
  RunningCost m_cost;
};

/// "0.63": three digits of a price or an energy.
[[nodiscard]] QString amountText(double value);

}  // namespace p2::views
