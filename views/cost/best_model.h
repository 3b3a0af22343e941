// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/common/rows_model.h"
#include "views/cost/best_rows.h"

namespace p2::views {

/// The best program of every placement as rows, fastest first. Qt::UserRole of the matrix column is the matrix as text.
class BestModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { Name, Matrix, Program, Times };

  using RowsModel::RowsModel;
  void setExploration(std::shared_ptr<const Exploration> exploration);
  [[nodiscard]] const std::vector<BestRow>& rows() const { return m_rows; }
  [[nodiscard]] const Exploration& exploration() const { return *m_exploration; }
  [[nodiscard]] double longest() const { return m_longest; }
  /// The row of a placement; −1 if it has none.
  [[nodiscard]] int rowOf(int placement) const;

 protected:
  [[nodiscard]] int count() const override { return int(m_rows.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  std::shared_ptr<const Exploration> m_exploration;
  std::vector<BestRow> m_rows;
  double m_longest = 0;
};

}  // namespace p2::views
