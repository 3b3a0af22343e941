// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QTableView;

namespace p2::views {

class DraftTableModel;
class InlineMessage;

/// An editable table with buttons, keys and a context menu to add, remove and move rows, and an error message below.
/// Its parts are named after `name`: levelsTable, levelsAdd, levelsRemove, levelsUp, levelsDown, levelsProblem.
class RowEditor : public QWidget {
  Q_OBJECT
 public:
  /// `name` ("levels") is the prefix of object names; `noun` ("level") is the word for one row in tool tips; the column
  /// `stretched` takes the remaining width.
  RowEditor(const QString& name, const QString& noun, DraftTableModel& model, int stretched, QWidget* parent = nullptr);

  [[nodiscard]] QTableView& table() { return *m_table; }
  /// The error below the buttons, which may be moved to another place.
  [[nodiscard]] InlineMessage& problem() { return *m_problem; }
  /// Add, remove, up, down.
  [[nodiscard]] QList<QAction*> rowActions() const { return m_actions; }

 private:
  QAction* addAction(const QString& name, const QString& text, const QString& tip, const QKeySequence& key);
  void makeActions(const QString& name, const QString& noun);
  void makeTable(const QString& name, int stretched);
  void moveCurrent(int by);
  void updateActions();

  DraftTableModel& m_model;
  QTableView* m_table = nullptr;
  InlineMessage* m_problem = nullptr;
  QList<QAction*> m_actions;
};

}  // namespace p2::views
