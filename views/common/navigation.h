// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPoint>
#include <QPointF>
#include <QRectF>
#include <optional>

class QEvent;
class QGestureEvent;
class QKeyEvent;
class QMouseEvent;
class QWidget;

namespace p2::views {

/// The direction of an arrow key: one of the four unit vectors, y downwards. Null for any other key.
[[nodiscard]] QPoint directionOf(int key);

/// A drawing in a widget that can be zoomed and moved.
class Navigable {
 public:
  virtual ~Navigable() = default;
  /// Zooms around this point of the widget.
  virtual void zoomAt(QPointF anchor, double factor) = 0;
  /// Scrolls by an offset in pixels.
  virtual void panBy(QPointF pixels) = 0;
  /// Shows all of it, from now on also when the widget changes its size.
  virtual void fit() = 0;
};

/// Mouse, keys and fingers on a drawing: the wheel and a pinch zoom at the pointer; + and − zoom, 0 fits,
/// with or without Ctrl; Shift and the arrow keys, the middle button, and the left one if it has nothing else to do,
/// pan. A widget gives its events here before it looks at them itself.
class Navigation {
 public:
  static constexpr double kStep = 1.25;       ///< zoom step of the wheel and the keys + and −
  static constexpr double kLeastZoom = 0.02;  ///< pixels per unit of the drawing
  static constexpr double kMostZoom = 8;
  static constexpr double kMostFittedZoom = 1.5;  ///< small drawings are not blown up beyond this

  enum class LeftButton { Pans, IsTheDrawings };
  /// `surface` is the painted widget, which receives the mouse events.
  Navigation(Navigable& drawing, QWidget& surface, LeftButton left);

  /// Whether the event was about zooming or panning, and is done with. Presses and releases of the left button are
  /// never: a click means something else.
  bool handle(QEvent& event);
  void zoomIn();
  void zoomOut();

  /// A zoom within the limits.
  [[nodiscard]] static double limited(double zoom);
  /// The zoom, at most `most`, at which the drawing fills a widget of this size; nothing when either is empty.
  [[nodiscard]] static std::optional<double> fittedZoom(const QRectF& drawing, QSizeF widget,
                                                        double most = kMostFittedZoom);

 private:
  bool handleKey(const QKeyEvent& event);
  bool handleMouse(const QMouseEvent& event);
  bool handleGesture(QGestureEvent& event);

  Navigable& m_drawing;
  QWidget& m_surface;
  LeftButton m_left;
  QPointF m_dragAt;
  bool m_dragging = false;
};

}  // namespace p2::views
