// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace p2::views {

class SystemCanvas;

/// The whole drawing in a corner of the canvas, with a frame around the visible part, while it is not all visible. A
/// click or a drag moves there.
class MiniMap : public QWidget {
  Q_OBJECT
 public:
  explicit MiniMap(SystemCanvas& canvas);
  /// Call when the drawing, the zoom or the place in it changed.
  void follow();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  [[nodiscard]] double scale() const;
  [[nodiscard]] QPointF origin() const;

  SystemCanvas& m_canvas;
};

}  // namespace p2::views
