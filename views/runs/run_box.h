// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGroupBox>

#include "views/runs/run_queue.h"

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace p2::views {

class InlineMessage;
class Session;

/// Choice of the runs: the selected program, the best ones, or all of a placement; repetitions, bytes, and whether
/// steps overlap.
class RunBox : public QGroupBox {
  Q_OBJECT
 public:
  explicit RunBox(Session& session, QWidget* parent = nullptr);

  /// The programs chosen, to be run on a target; empty when there are none yet.
  [[nodiscard]] std::vector<RunOrder> orders(const Target& target) const;
  /// The programs of runs once more, each as it was run then. Errors: one was not made from a plan.
  [[nodiscard]] Result<std::vector<RunOrder>> ordersAgain(const std::vector<RunRow>& rows, const Target& target) const;
  /// One program with the backend, bytes, repetitions and pieces chosen here.
  [[nodiscard]] RunOrder order(Workspace workspace, const Target& target) const;
  /// Shows a run going on: only it can be cancelled then.
  void setRunning(bool running);

 signals:
  void runWanted();
  void scriptWanted();
  void cancelWanted();

 private:
  enum What { SelectedProgram, BestPrograms, PlacementPrograms, EveryProgram };
  QComboBox* addChoice(QFormLayout& form, const char* name, const QString& label, const QString& tip);
  void refresh();
  void showBytes();

  Session& m_session;
  QComboBox* m_what = nullptr;
  QSpinBox* m_count = nullptr;
  QComboBox* m_backend = nullptr;
  QLineEdit* m_bytes = nullptr;
  QSpinBox* m_repeat = nullptr;
  QSpinBox* m_pieces = nullptr;
  InlineMessage* m_problem = nullptr;
  QPushButton* m_run = nullptr;
  QPushButton* m_cancel = nullptr;
  QPushButton* m_script = nullptr;
  Bytes m_bytesRead{16.0 * 1024 * 1024};
  Bytes m_bytesShown = m_bytesRead;  // before the user began to type: its unit is meant where none is typed
  bool m_running = false;
};

}  // namespace p2::views
