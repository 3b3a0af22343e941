// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/common/rows_model.h"
#include "views/strategy/strategy_picture.h"

namespace p2::views {

/// The cost of every operator; folded operators are one row.
class OperatorsModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { OperatorColumn, ShareColumn, SplitColumn, ComputeColumn, ReduceColumn, ReshardingColumn };
  /// The number a cell is sorted by.
  static constexpr int kSortRole = Qt::UserRole;
  /// Role of ShareColumn: compute, reduce and reshard as three shares of the most expensive row's cost, a QVariantList.
  static constexpr int kPartsRole = Qt::UserRole + 1;

  using RowsModel::RowsModel;

  /// Rows are the picture's vertices, of that instance.
  void show(std::shared_ptr<const StrategyInstance> instance, StrategyPicture picture);
  /// The headings, as lineOf() gives a row.
  [[nodiscard]] QString headings() const;

 protected:
  [[nodiscard]] int count() const override { return int(m_picture.vertices.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  [[nodiscard]] double shareOf(int row) const;
  [[nodiscard]] QVariant number(int row, int column) const;

  std::shared_ptr<const StrategyInstance> m_instance;
  StrategyPicture m_picture;
  double m_most = 0;  // cost of the most expensive row
};

}  // namespace p2::views
