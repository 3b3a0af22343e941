// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QProgressBar;

namespace p2::views {

class InlineMessage;
class RunQueue;

/// Progress of all requested runs, the outcome of the last one, and the output of its ranks.
class RunStatus : public QWidget {
  Q_OBJECT
 public:
  explicit RunStatus(RunQueue& queue, QWidget* parent = nullptr);

  void showProblem(const QString& sentence);
  void showNote(const QString& sentence);
  void showDone(const QString& sentence);
  void showBriefly(const QString& sentence);  ///< for five seconds
  /// The log, to be put elsewhere; hidden until it is asked for.
  [[nodiscard]] QPlainTextEdit& log() { return *m_log; }

 private:
  void makeLog();
  void refresh();

  RunQueue& m_queue;
  InlineMessage* m_message = nullptr;
  QLabel* m_progressText = nullptr;
  QProgressBar* m_progress = nullptr;
  int m_all = 0;  // runs of the queue that the progress is of
  QPlainTextEdit* m_log = nullptr;
};

}  // namespace p2::views
