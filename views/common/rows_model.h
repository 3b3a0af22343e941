// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <vector>

namespace p2::views {

/// A column of a table: its heading, and how its cells are read.
struct TableColumn {
  QString title;
  QString toolTip = {};
  bool isFigure = false;  ///< aligned to the right, in digits of one width
};

/// A table of rows under a list of columns. A subclass says how many rows there are, lists its columns in the order of
/// its enumeration, and gives the text of a cell; all tables share the rest.
class RowsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  /// Greys the rows while they answer an outdated question.
  void setStale(bool stale);
  [[nodiscard]] bool isStale() const { return m_stale; }
  /// The row's cells as text with tabs between them, for the clipboard.
  [[nodiscard]] QString lineOf(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const final;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const final;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;

 protected:
  [[nodiscard]] virtual int count() const = 0;
  /// Called once after every reset() and renewColumns().
  [[nodiscard]] virtual std::vector<TableColumn> columns() const = 0;
  [[nodiscard]] virtual QString text(int row, int column) const = 0;
  [[nodiscard]] virtual QString toolTip(int /*row*/, int /*column*/) const { return {}; }
  /// The value of a role where the cell differs from the others of its column, or for a role of the subclass.
  /// Qt::AccessibleTextRole is the text of a cell that is drawn.
  [[nodiscard]] virtual QVariant special(int /*row*/, int /*column*/, int /*role*/) const { return {}; }
  /// Whether a column is greyed.
  [[nodiscard]] virtual bool isGrey(int /*column*/) const { return m_stale; }

  /// Replaces rows, columns or both.
  void reset(const std::function<void()>& change);
  /// Titles or tooltips of columns have changed.
  void renewColumns();
  /// Tells the views that the cells of these columns changed, by default of all.
  void tellChanged(int first = 0, int last = -1, const QList<int>& roles = {});

 private:
  [[nodiscard]] QString cellText(int row, int column) const;
  [[nodiscard]] const TableColumn& column(int number) const;

  mutable std::vector<TableColumn> m_columns;
  bool m_stale = false;
};

}  // namespace p2::views
