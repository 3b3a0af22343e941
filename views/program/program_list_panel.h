// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QTableView;

namespace p2::views {

class ProgramFilter;
class ProgramListModel;
class Session;

/// The programs of the selected placement, with a filter; selecting one selects it everywhere.
class ProgramListPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ProgramListPanel(Session& session, QWidget* parent = nullptr);
  /// Puts the cursor into the filter; its shortcut works once it is added to a widget that is shown.
  [[nodiscard]] QAction* filterAction() const { return m_filterAction; }

 signals:
  /// A program was clicked, selected before or not.
  void programClicked();

 private:
  void makeTable();
  void refresh();
  void showSelection();
  void select(int proxyRow);
  void showCount();
  void showLimit();

  Session& m_session;
  ProgramListModel* m_model;
  ProgramFilter* m_filter;
  QLineEdit* m_filterEdit;
  QTableView* m_table;
  QLabel* m_count;
  QLabel* m_limit;
  QAction* m_filterAction;
};

}  // namespace p2::views
