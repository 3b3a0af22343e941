// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace p2::views {

/// The line below a ranking: the segment under the mouse, the job's progress with the button that stops or restarts
/// it, and the unmodelled effects.
class RankingStatus : public QWidget {
  Q_OBJECT
 public:
  explicit RankingStatus(QWidget* parent = nullptr);

  void setDetail(const QString& text);
  void setProgress(double done);
  void setState(bool running, bool cancelled);
  /// Sentences; without any there is nothing to open.
  void setUnmodelledEffects(const QStringList& sentences);

 signals:
  void stopWanted();  ///< or to begin again, when nothing runs

 private:
  QLabel* m_detail;
  QProgressBar* m_progress;
  QToolButton* m_stop;
  QToolButton* m_switch;
  QLabel* m_leftOut;
};

}  // namespace p2::views
