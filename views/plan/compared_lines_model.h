// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "training_answer/configuration_comparison.h"

namespace p2::views {

/// Two configurations line by line: the choices that differ, the parts of both steps and of both memories.
class ComparedLinesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { What, A, B, Difference, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  /// The names stand above the columns of A and B.
  void setLines(std::vector<ComparedLine> lines, const QString& a, const QString& b);
  /// All lines as text with tabs between the columns, for the clipboard.
  [[nodiscard]] QString text() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString textAt(int row, int column) const;

  std::vector<ComparedLine> m_lines;
  QString m_a;
  QString m_b;
};

}  // namespace p2::views
