// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "training_answer/configuration_comparison.h"
#include "views/common/rows_model.h"

namespace p2::views {

/// Two configurations line by line: the choices that differ, the parts of both steps and of both memories.
class ComparedLinesModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { What, A, B, Difference };

  using RowsModel::RowsModel;

  /// The names stand above the columns of A and B.
  void setLines(std::vector<ComparedLine> lines, const QString& a, const QString& b);
  /// All lines as text with tabs between the columns, for the clipboard.
  [[nodiscard]] QString allText() const;

 protected:
  [[nodiscard]] int count() const override { return int(m_lines.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override { return text(row, column).trimmed(); }
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  std::vector<ComparedLine> m_lines;
  QString m_a;
  QString m_b;
};

}  // namespace p2::views
