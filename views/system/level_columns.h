// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QTableView;

namespace p2::views {

/// Keeps the columns of the table of levels as narrow as what they say, so that all figures are in sight in narrow
/// forms. The name of the network has what is left; where that is too little to be read it is left to the drawing and
/// to the properties.
class LevelColumns : public QObject {
  Q_OBJECT
 public:
  /// Of a table that has its model; it becomes the parent.
  explicit LevelColumns(QTableView& table);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  [[nodiscard]] int widthOf(int column) const;

  QTableView& m_table;
};

}  // namespace p2::views
