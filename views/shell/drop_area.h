// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QMimeData;

namespace p2::views {

/// Takes the files that are dropped anywhere on a window, whatever lies under the mouse, and lays a frame with a
/// sentence over the window while they are dragged across it. All other drags go on to where they were meant for.
class DropArea : public QWidget {
  Q_OBJECT
 public:
  /// Covers `window`, which owns it.
  explicit DropArea(QWidget& window);

  bool eventFilter(QObject* watched, QEvent* event) override;

 signals:
  /// Local files, at least one; emitted once the drop is over, so that whoever drags is not kept waiting by a dialog.
  void dropped(const QStringList& paths);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  [[nodiscard]] static QStringList filesOf(const QMimeData* data);
  void showOver(const QStringList& files);

  QWidget& m_window;
  QString m_sentence;
};

}  // namespace p2::views
