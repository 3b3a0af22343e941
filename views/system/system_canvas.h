// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsView>
#include <optional>

#include "views/common/navigation.h"
#include "views/system/system_scene.h"

namespace p2::views {

class MiniMap;

/// The editable drawing of a system: select by click, Ctrl+click, rubber band and arrow keys, zoom and pan as in every
/// drawing (Navigation), connect by dragging from the handle of a network, reorder by dragging one level onto another.
/// Until the user zooms or pans, the drawing stays fitted. Zooming in unfolds parts that then fit, and the part under
/// the mouse once it is large; zooming out folds them again.
class SystemCanvas : public QGraphicsView, private Navigable {
  Q_OBJECT
 public:
  explicit SystemCanvas(QWidget* parent = nullptr);

  void setSystem(const System& system);
  [[nodiscard]] SystemScene& drawn() { return *m_scene; }
  /// The part under a point of the screen: nothing next to the drawing, and nothing at all off the canvas.
  [[nodiscard]] std::optional<SystemPart> partAt(QPoint global) const;
  [[nodiscard]] bool holds(QPoint global) const;
  /// Highlights the part under a point of the screen as a drop target.
  void showTarget(std::optional<QPoint> global);
  /// Position of a network's handle on the viewport; none when it is not drawn.
  [[nodiscard]] std::optional<QPoint> handleOf(const SystemPart& network) const;

 public slots:
  void zoomIn() { m_navigation.zoomIn(); }
  void zoomOut() { m_navigation.zoomOut(); }
  void fit() override;

 signals:
  /// Description of the part under the mouse, in one sentence; empty for none.
  void shapeHovered(const QString& name);
  void deviceHovered(p2::Device device);
  void connectWanted(int network, const p2::views::SystemPart& member);
  void moveWanted(int from, int to);
  void menuWanted(QPoint global);
  /// A click or Enter on the selection.
  void detailsWanted();

 protected:
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  enum class Drag { None, Connect, Level };

  /// A part of the system that is held where it is seen while the drawing around it becomes another one.
  struct Held {
    std::optional<SystemPart> part;
    QPointF within;  ///< position in the part, or in the drawing where there is none: from 0 to 1 each way
  };
  [[nodiscard]] Held heldAt(QPointF at) const;
  [[nodiscard]] QPointF placeOf(const Held& held) const;
  [[nodiscard]] QSizeF roomNow() const;
  void giveRoomAround();
  void unfoldAt(QPointF anchor);

  void zoomAt(QPointF anchor, double factor) override;
  void panBy(QPointF pixels) override;
  void light(ShapeItem* item);
  void hoverAt(QPoint at);
  void step(QPointF direction, bool extend);
  [[nodiscard]] ShapeItem* current() const;
  [[nodiscard]] ShapeItem* networkWithHandleAt(QPoint at) const;
  void finishDrag(QPoint at);
  void openShape(const ShapeItem& item);

  Navigation m_navigation;
  SystemScene* m_scene = nullptr;
  MiniMap* m_map = nullptr;
  std::optional<SystemPart> m_lit;
  bool m_fitted = true;
  double m_magnification = 1;  // magnification at which the drawing just fits
  Drag m_drag = Drag::None;
  int m_dragged = -1;  // network or level
  QPoint m_dragFrom;
  QPoint m_dragAt;
};

}  // namespace p2::views
