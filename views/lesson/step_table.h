// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>

#include "lesson/lesson_page.h"

namespace p2::views {

/// All steps of a goal, a row per collective and a column for the groups: a click, Enter or Space adds one.
class StepTable : public QTableWidget {
  Q_OBJECT
 public:
  /// Systems with more kinds of groups have no room for a table.
  static constexpr int kMostColumns = 6;

  explicit StepTable(QWidget* parent = nullptr);
  /// Shows the steps of a page, or hides where there is no room for them.
  void setPage(const PreparedPage& page);

 signals:
  void stepChosen(QString step);  ///< as text: "node:InsideGroup:AllReduce"

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fit();
  void choose(const QTableWidgetItem* item);
};

}  // namespace p2::views
