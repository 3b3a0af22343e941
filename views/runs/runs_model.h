// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "views/runs/run_record_row.h"

namespace p2::views {

/// The runs as rows, in the order given.
class RunsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { When, Target, System, Matrix, Program, Bytes, Predicted, Measured, Difference, State, ColumnCount };
  static constexpr int kSortRole = Qt::UserRole;        ///< numbers as numbers
  static constexpr int kFilterRole = Qt::UserRole + 1;  ///< what is shown, programs in full

  using QAbstractTableModel::QAbstractTableModel;
  void setRows(std::vector<RunRow> rows);
  void prepend(RunRow row);
  [[nodiscard]] const std::vector<RunRow>& rows() const { return m_rows; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString text(const RunRow& row, int column) const;
  [[nodiscard]] QVariant sortKey(const RunRow& row, int column) const;

  std::vector<RunRow> m_rows;
};

/// "✓ right", "✗ 12 wrong elements", "✗ rank 3 was killed": how a run ended, in words.
[[nodiscard]] QString stateText(const RunRow& row);

/// Rows that contain a text in any column.
class RunsFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit RunsFilter(QObject* parent = nullptr);
};

}  // namespace p2::views
