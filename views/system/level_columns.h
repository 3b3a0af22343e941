// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QTableView;

namespace p2::views {

/// Keeps the columns of the table of levels as narrow as their contents, so that all figures are visible in narrow
/// forms. The name of the network gets the remaining width; if that is too narrow, only the drawing and the properties
/// show it.
class LevelColumns : public QObject {
  Q_OBJECT
 public:
  /// Sets up a table that has its model; it becomes the parent.
  explicit LevelColumns(QTableView& table);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  [[nodiscard]] int widthOf(int column) const;

  QTableView& m_table;
};

}  // namespace p2::views
