// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "views/common/owned.h"
#include "views/runs/run_calibration.h"
#include "views/runs/run_keeper.h"
#include "views/runs/run_list.h"
#include "views/runs/run_queue.h"
#include "views/shell/derived.h"
#include "views/shell/perspective.h"

class QLineEdit;
class QStackedWidget;
class QTimer;

namespace p2::views {

class EmptyPage;
class MachineMeasuring;
class RunBox;
class RunComparison;
class RunStatus;
class Session;
class TargetBox;

/// Runs of programs on real processes: choice of programs and target, results, and comparison with predictions.
class RunsPerspective : public Perspective {
  Q_OBJECT
 public:
  /// Runs are kept in the application's data folder.
  explicit RunsPerspective(Session& session, QWidget* parent = nullptr);
  ~RunsPerspective() override;

  [[nodiscard]] static PerspectiveFace face() { return {QStringLiteral("runs"), tr("Runs"), QStringLiteral("run")}; }
  [[nodiscard]] static PagePlace place() { return {.position = 120, .key = "Ctrl+Shift+R", .separated = true}; }
  [[nodiscard]] QList<QAction*> viewActions() override { return m_actions; }
  [[nodiscard]] QString unfinished() const override;

 private:
  QWidget* makeControls();
  QWidget* makeResults();
  QWidget* makeTools();
  void makeFilter();
  void makeActions();
  QAction* addRunAction(const char* name, const QString& text, const QKeySequence& keys, std::function<void()> act);
  void connectParts();
  void run();
  void runAgain();
  void copyTorchrun();
  void keep(const RunRow& row);
  void refresh();
  void tellMeasured();
  void refreshEmptyPage();
  void refreshActions();
  void showProblem(const QString& sentence);
  void deleteChosen();
  void restoreDeleted();
  void exportShown();
  void importMeasured();
  void addExampleRuns();
  [[nodiscard]] std::function<void(const Result<std::vector<RunRow>>&)> takingRuns();
  void takeImported(const std::vector<RunRow>& rows);
  void calibrate();
  void measureMachine();
  void compareWithRun();
  void takeCalibration();
  [[nodiscard]] std::function<void()> noteOnCancelling(const QString& sentence);

  /// The runs that fit the system of a workspace, and those to compare with the fit.
  struct RunsToFit {
    std::shared_ptr<const Workspace> workspace;
    std::vector<RunRow> used;
    std::vector<RunRow> others;
    bool operator==(const RunsToFit&) const = default;
  };

  Session& m_session;
  RunQueue m_queue;
  RunKeeper m_keeper;
  Derived<RunsToFit, RunCalibration> m_calibration;
  std::vector<std::vector<qint64>> m_deleted;  // deleted together; runs are not part of the document
  RunBox* m_runBox = nullptr;
  TargetBox* m_targets = nullptr;
  MachineMeasuring* m_machine = nullptr;
  RunStatus* m_status = nullptr;
  QLineEdit* m_filterEdit = nullptr;
  OwnedView<RunList> m_list;
  QStackedWidget* m_pages = nullptr;
  EmptyPage* m_empty = nullptr;
  RunComparison* m_comparison = nullptr;
  QTimer* m_refreshSoon = nullptr;
  bool m_keptChanged = true;  // since tellMeasured()
  QList<QAction*> m_actions;
  QList<QAction*> m_actionsOnChosen;
  QAction* m_calibrate = nullptr;
  QAction* m_import = nullptr;
  QAction* m_export = nullptr;
  QAction* m_compare = nullptr;
};

}  // namespace p2::views
