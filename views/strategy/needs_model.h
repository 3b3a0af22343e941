// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "graphs/hierarchical_prices.h"

namespace p2::views {

/// The collectives that a strategy needs, most expensive first. Placement and program are known under hierarchical
/// prices.
class NeedsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column {
    AxesColumn,
    CollectiveColumn,
    BytesColumn,
    TimesColumn,
    TimeColumn,
    PlacementColumn,
    OperatorsColumn,
    ColumnCount
  };

  using QAbstractTableModel::QAbstractTableModel;

  void show(std::vector<StrategyNeed> needs);
  void setStale(bool stale);
  /// The need of a row, null for none.
  [[nodiscard]] const StrategyNeed* at(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  /// The placement's matrix is the text of Qt::UserRole, as MatrixDelegate wants it.
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString cellText(const StrategyNeed& need, int column) const;
  [[nodiscard]] QString toolTip(const StrategyNeed& need) const;

  std::vector<StrategyNeed> m_needs;
  bool m_stale = false;
};

/// The axes of a need on that many devices: the rest of them becomes copies. Errors: they do not divide evenly.
[[nodiscard]] Result<std::vector<Axis>> axesOn(const StrategyNeed& need, std::int64_t devices);

}  // namespace p2::views
