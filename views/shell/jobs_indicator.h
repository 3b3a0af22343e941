// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace p2::views {

class JobQueue;

/// The running jobs and their progress, with a button that cancels them. It appears after a moment, so that short jobs
/// do not make it flicker, and keeps its place while hidden.
class JobsIndicator : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kAppearAfterMs = 200;
  explicit JobsIndicator(JobQueue& jobs, QWidget* parent = nullptr, int appearAfterMs = kAppearAfterMs);

  /// Keeps less room for the bar, in a narrow window.
  void setNarrow(bool narrow);

 private:
  void refresh();

  JobQueue& m_jobs;
  QLabel* m_text;
  QProgressBar* m_bar;
  QToolButton* m_cancel;
  QTimer m_appear;
};

}  // namespace p2::views
