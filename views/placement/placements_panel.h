// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "views/common/owned.h"
#include "views/placement/placements_model.h"
#include "views/placement/placements_table.h"

class QAction;
class QLabel;
class QLineEdit;
class QStackedWidget;

namespace p2::views {

class EmptyPage;
class InlineMessage;
class Session;
class StepGuard;

/// The table of placements: sorted, filtered, its row the session's selection. Without placements it says what to do
/// next.
class PlacementsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit PlacementsPanel(Session& session, QWidget* parent = nullptr);

  [[nodiscard]] QAction* findAction() const { return m_find; }
  /// A low page gives the last sentence's room to the list; the tooltip of the list has it.
  void setLow(bool low);

 public slots:
  /// Compares the selected placement with this one of the exploration; −1 for none.
  void setCompared(int placement);

 signals:
  void comparedChanged(int placement);
  void placementActivated();  ///< Enter or double click on a row
  void comparisonWanted();    ///< a placement was pinned for comparison with the selected one
  void axesWanted();          ///< the user wants to edit the axes
  void workloadWanted();      ///< the user wants to add a workload

 protected:
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void makeFilter();
  void connectSelection();
  void pin(int row);
  void keepCompared();
  void refresh();
  void refreshFreshness();
  void refreshStatus();
  void refreshEmptyPage();
  void refreshSummary();
  void refreshCount();
  void refreshNotes();
  void refreshRealisation();
  void showSelection();
  void selectRow(const QModelIndex& proxyIndex);

  Session& m_session;
  PlacementsModel m_model;
  PlacementsProxy m_proxy;
  QLabel* m_count = nullptr;
  QLineEdit* m_filter = nullptr;
  QAction* m_find = nullptr;
  StepGuard* m_guard = nullptr;
  InlineMessage* m_status = nullptr;
  QStackedWidget* m_stack = nullptr;
  OwnedView<PlacementsTable> m_table;
  EmptyPage* m_empty = nullptr;
  QLabel* m_summary = nullptr;
  QLabel* m_realisation = nullptr;
  bool m_isLow = false;
  QString m_listTip;  ///< the list's own tooltip
  int m_compared = -1;
  ParallelismMatrix m_comparedMatrix;
  std::vector<Axis> m_comparedAxes;  ///< axes of the question in which it was chosen
  bool m_syncing = false;            // rows move under the selection: not the user's choice
};

}  // namespace p2::views
