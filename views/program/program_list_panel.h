// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QTableView;

namespace p2::views {

class DraftRow;
class ProgramFilter;
class ProgramListModel;
class Session;

/// The programs of the selected placement, with a filter; selecting one selects it everywhere.
class ProgramListPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ProgramListPanel(Session& session, QWidget* parent = nullptr);
  /// Moves the cursor to the filter; its shortcut works once it is added to a widget that is shown.
  [[nodiscard]] QAction* filterAction() const { return m_filterAction; }

  /// The user's own program, as a row of its own above the others; `shown` is whether it is the one on screen. An empty
  /// notation with no facts takes the row away.
  void setDraft(const QString& notation, const QString& facts, bool shown);

 signals:
  /// A program was clicked, selected before or not.
  void programClicked();
  void draftClicked();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeTable();
  void offerPinning(QPoint at);
  void refresh();
  void showSelection();
  void select(int proxyRow);
  void showCount();
  void showLowerBound();

  Session& m_session;
  ProgramListModel* m_model;
  ProgramFilter* m_filter;
  QLineEdit* m_filterEdit;
  DraftRow* m_draft;
  QTableView* m_table;
  QLabel* m_count;
  QLabel* m_limit;
  QAction* m_filterAction;
};

}  // namespace p2::views
