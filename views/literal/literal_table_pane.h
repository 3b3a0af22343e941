// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAbstractItemModel;
class QLabel;
class QTableView;

namespace p2::views {

/// A table of the literal algorithm under its title.
class LiteralTablePane : public QWidget {
  Q_OBJECT
 public:
  /// `name`: of the table view; the title's is this with "Title".
  LiteralTablePane(const QString& name, const QString& tip, QWidget* parent = nullptr);

  void show(QAbstractItemModel* model, const QString& title);
  /// Brings a row into view, fetching earlier rows.
  void reveal(int row);
  void setTextPixels(int pixels);

 private:
  QLabel* m_title;
  QTableView* m_table;
};

}  // namespace p2::views
