// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "graphs/hierarchical_prices.h"
#include "views/common/rows_model.h"

namespace p2::views {

/// The collectives that a strategy needs, most expensive first. Placement and program are known under hierarchical
/// prices.
class NeedsModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { AxesColumn, CollectiveColumn, BytesColumn, TimesColumn, TimeColumn, PlacementColumn, OperatorsColumn };

  using RowsModel::RowsModel;

  void show(std::vector<StrategyNeed> needs);
  /// The need of a row, null for none.
  [[nodiscard]] const StrategyNeed* at(int row) const;

 protected:
  [[nodiscard]] int count() const override { return int(m_needs.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  /// The placement's matrix is the text of Qt::UserRole, as MatrixDelegate wants it.
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  std::vector<StrategyNeed> m_needs;
};

/// The axes of a need on that many devices: the rest of them becomes copies. Errors: they do not divide evenly.
[[nodiscard]] Result<std::vector<Axis>> axesOn(const StrategyNeed& need, std::int64_t devices);

}  // namespace p2::views
