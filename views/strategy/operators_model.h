// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "views/strategy/strategy_picture.h"

namespace p2::views {

/// What every operator costs, those that are folded to one as one.
class OperatorsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { OperatorColumn, ShareColumn, SplitColumn, ComputeColumn, ReduceColumn, ReshardingColumn, ColumnCount };
  /// The number a cell is sorted by.
  static constexpr int kSortRole = Qt::UserRole;
  /// Of ShareColumn: three shares of the most expensive row's cost, compute, reduce and reshard, as a QVariantList.
  static constexpr int kPartsRole = Qt::UserRole + 1;

  using QAbstractTableModel::QAbstractTableModel;

  /// Rows are the picture's vertices, of that instance.
  void show(std::shared_ptr<const StrategyInstance> instance, StrategyPicture picture);
  void setStale(bool stale);
  /// A row for a spreadsheet: the cells, split by tabs.
  [[nodiscard]] QString rowText(int row) const;
  /// The headings, likewise.
  [[nodiscard]] QString headings() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] double shareOf(int row) const;
  [[nodiscard]] QString cellText(int row, int column) const;
  [[nodiscard]] QVariant number(int row, int column) const;

  std::shared_ptr<const StrategyInstance> m_instance;
  StrategyPicture m_picture;
  double m_most = 0;  // cost of the most expensive row
  bool m_stale = false;
};

}  // namespace p2::views
