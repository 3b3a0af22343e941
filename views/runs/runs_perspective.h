// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoStack>

#include "views/runs/run_keeper.h"
#include "views/runs/run_queue.h"
#include "views/shell/perspective.h"

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QStackedWidget;
class QTableView;

namespace p2::views {

class ComparisonPlot;
class EmptyPage;
class InlineMessage;
class RunBox;
class Session;
class TargetBox;

/// Runs of programs on real processes: what to run and where, what came of it, and how it compares with what was
/// predicted.
class RunsPerspective : public Perspective {
  Q_OBJECT
 public:
  /// Runs are kept in the application's data folder.
  explicit RunsPerspective(Session& session, QWidget* parent = nullptr);
  ~RunsPerspective() override;

  [[nodiscard]] QString title() const override { return tr("Runs"); }
  [[nodiscard]] QString iconName() const override { return QStringLiteral("run"); }
  [[nodiscard]] QString help() const override;
  [[nodiscard]] QList<QAction*> viewActions() override { return m_actions; }
  [[nodiscard]] QString unfinished() const override;

 private:
  QWidget* makeControls();
  QWidget* makeResults();
  QWidget* makeStatus();
  void makeTable();
  void makeActions();
  void connectQueue();
  void run();
  void runAgain();
  void keep(const RunRow& row);
  void refresh();
  void showProblem(const QString& sentence);
  [[nodiscard]] std::vector<RunRow> shownRows() const;
  [[nodiscard]] std::vector<RunRow> chosenRows() const;
  void deleteChosen();
  void exportShown();
  void importMeasured();
  void calibrate();
  void selectRun(qint64 id);

  Session& m_session;
  RunQueue m_queue;
  RunKeeper m_keeper;
  QUndoStack m_deletions;  // the document knows nothing of runs
  RunsFilter m_filter;
  RunBox* m_runBox = nullptr;
  TargetBox* m_targets = nullptr;
  QLineEdit* m_filterEdit = nullptr;
  QTableView* m_table = nullptr;
  QStackedWidget* m_pages = nullptr;
  EmptyPage* m_empty = nullptr;
  ComparisonPlot* m_plot = nullptr;
  QLabel* m_quality = nullptr;
  QLabel* m_progressText = nullptr;
  QProgressBar* m_progress = nullptr;
  InlineMessage* m_message = nullptr;
  QPlainTextEdit* m_log = nullptr;
  QList<QAction*> m_actions;
};

}  // namespace p2::views
