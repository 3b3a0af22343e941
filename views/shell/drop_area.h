// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QMimeData;

namespace p2::views {

/// Accepts files dropped anywhere on a window, and shows a frame with a sentence during the drag. All other drags reach
/// their targets.
class DropArea : public QWidget {
  Q_OBJECT
 public:
  /// Covers `window`, which owns it.
  explicit DropArea(QWidget& window);

  /// The local files of a drag or of the clipboard; none for other contents.
  [[nodiscard]] static QStringList filesOf(const QMimeData* data);

  bool eventFilter(QObject* watched, QEvent* event) override;

 signals:
  /// At least one local file. Emitted after the drop has ended, so that a dialog does not block the source of the drag.
  void dropped(const QStringList& paths);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void showOver(const QStringList& files);

  QWidget& m_window;
  QString m_sentence;
};

}  // namespace p2::views
