// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>
#include <deque>

#include "views/common/rows_model.h"
#include "views/runs/run_record_row.h"

namespace p2::views {

/// The runs as rows, the newest (largest id) first.
class RunsModel : public RowsModel {
  Q_OBJECT
 public:
  enum Column { State, When, Program, Bytes, Predicted, Measured, Difference, Matrix, System, Target };
  static constexpr int kSortRole = Qt::UserRole;        ///< numbers as numbers
  static constexpr int kFilterRole = Qt::UserRole + 1;  ///< shown text, with complete programs

  using RowsModel::RowsModel;
  /// Inserts rows, given in any order, in their places; rows whose id is shown already are left out. A row that is
  /// newer than all others costs the same however many there are.
  void add(std::vector<RunRow> rows);
  /// Removes the rows with these ids and returns them.
  std::vector<RunRow> take(const std::vector<qint64>& ids);
  [[nodiscard]] const RunRow& row(int row) const { return m_rows[std::size_t(row)]; }

 protected:
  [[nodiscard]] int count() const override { return int(m_rows.size()); }
  [[nodiscard]] std::vector<TableColumn> columns() const override;
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString toolTip(int row, int column) const override;
  [[nodiscard]] QVariant special(int row, int column, int role) const override;

 private:
  /// The value by which a cell is sorted: numbers, or no value where the text is.
  [[nodiscard]] QVariant sortKey(const RunRow& row, int column) const;
  void insert(std::vector<RunRow>::iterator first, std::vector<RunRow>::iterator last);
  /// The row of this id, or the place where it belongs.
  [[nodiscard]] int placeOf(qint64 id) const;

  std::deque<RunRow> m_rows;
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
