// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "run_answer/run_answer.h"
#include "views/runs/run_collectives_model.h"
#include "views/shell/derived.h"

class QLabel;
class QTableView;

namespace p2::views {

class FileField;
class InlineMessage;
class TimelineView;

/// Compares a measured run with a plan: traces of its ranks and the plan's file are chosen, the predicted timeline is
/// drawn above the measured one, and every collective has a line with its difference and its reason. The files are read
/// in a job; while it runs the previous answer is shown greyed.
class RunCompareDialog : public QDialog {
  Q_OBJECT
 public:
  explicit RunCompareDialog(JobQueue& jobs, QWidget* parent = nullptr);
  ~RunCompareDialog() override;

  /// Sets the files, as the file dialogs would.
  void choose(const QStringList& traces, const QString& plan);

 private:
  QWidget* makeFiles();
  QWidget* makeAnswer();
  void ask();
  void refresh();

  Derived<RunQuestion, RunAnswer> m_answer;
  FileField* m_traces = nullptr;
  FileField* m_plan = nullptr;
  InlineMessage* m_message = nullptr;
  QLabel* m_finding = nullptr;
  TimelineView* m_timeline = nullptr;
  QTableView* m_table = nullptr;
  RunCollectivesModel* m_collectives = nullptr;
  std::shared_ptr<const RunAnswer> m_shown;
};

}  // namespace p2::views
