// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace p2::views {

class JobQueue;

/// What runs and how far it is, with a button that cancels it. Jobs that end at once are not worth a flicker: it
/// appears after a moment, and keeps its place while hidden.
class JobsIndicator : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kAppearAfterMs = 200;
  explicit JobsIndicator(JobQueue& jobs, QWidget* parent = nullptr, int appearAfterMs = kAppearAfterMs);

 private:
  void refresh();

  JobQueue& m_jobs;
  QLabel* m_text;
  QProgressBar* m_bar;
  QToolButton* m_cancel;
  QTimer m_appear;
};

}  // namespace p2::views
