// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QList>
#include <QString>

class QTableView;

namespace p2::views {

/// Settings of one table; setUpTable() does the rest, which all tables share.
struct TableSetup {
  static constexpr int kNone = -1;

  QString name;        ///< name of the widget
  QString accessible;  ///< contents, for screen readers
  QString toolTip = {};
  /// Rows are chosen one at a time; several where something can be done with several.
  QAbstractItemView::SelectionMode selection = QAbstractItemView::SingleSelection;
  bool cells = false;     ///< cells are chosen and typed into, not rows
  bool striped = false;   ///< every other row tinted
  int linesPerRow = 0;    ///< the height of all rows; 0 for as it comes
  int stretched = kNone;  ///< the column that takes the remaining width
  bool fitted = false;    ///< the other columns fit their contents
  int sortedBy = kNone;   ///< the headers sort, at first by this column
  Qt::SortOrder order = Qt::AscendingOrder;
};

/// Sets up a table as all of them are: whole rows, no grid, no row numbers, headings that do not change with the
/// selection, Tab goes on to the next widget, and widths come from the first rows so that thousands cost no more than
/// fifty. Call it once the table has its model.
void setUpTable(QTableView& table, const TableSetup& setup);

}  // namespace p2::views
