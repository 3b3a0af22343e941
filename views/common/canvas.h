// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "views/common/navigation.h"

namespace p2::views {

/// A drawing one can walk around in, as in every drawing (Navigation). Until the user zooms or pans, the drawing stays
/// fitted to the widget.
class Canvas : public QWidget, private Navigable {
  Q_OBJECT
 public:
  explicit Canvas(QWidget* parent = nullptr);

  /// Widget pixels per unit of the drawing.
  [[nodiscard]] double zoom() const { return m_zoom; }
  [[nodiscard]] QPointF toWidget(QPointF drawing) const { return drawing * m_zoom + m_offset; }
  [[nodiscard]] QPointF toDrawing(QPointF widget) const { return (widget - m_offset) / m_zoom; }

 public slots:
  void zoomIn() { m_navigation.zoomIn(); }
  void zoomOut() { m_navigation.zoomOut(); }
  void fit() override;

 public:
  /// Shows the same part of an equal drawing in a widget of about the same size.
  void showLike(const Canvas& other);

 protected:
  /// The user has zoomed or panned, or fitted the drawing again.
  virtual void navigated() {}
  [[nodiscard]] virtual QRectF drawingBounds() const = 0;
  /// Small drawings are not blown up beyond this when they are fitted.
  [[nodiscard]] virtual double mostFittedZoom() const { return Navigation::kMostFittedZoom; }
  /// Reserves `pixels` at the bottom for other content of the widget.
  void setBottomInset(int pixels);
  /// The visible part of the drawing, in widget coordinates.
  [[nodiscard]] QRectF window() const { return {0, 0, double(width()), double(height() - m_bottomInset)}; }
  /// Zooms to a part of the drawing.
  void zoomTo(const QRectF& part);
  /// Paints in drawing coordinates; `visible` is the visible part.
  virtual void paintDrawing(QPainter& painter, const QRectF& visible) = 0;
  /// The mouse is over a point of the drawing, or has left it.
  virtual void hovered(std::optional<QPointF> point) = 0;
  /// Call when the drawing is another one.
  void drawingChanged();
  /// Pans as little as it takes to see this part of the drawing; not at all when it is seen.
  void reveal(const QRectF& part);

  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void zoomAt(QPointF anchor, double factor) override;
  void panBy(QPointF pixels) override;

  Navigation m_navigation;
  double m_zoom = 1;
  QPointF m_offset;
  bool m_fitted = true;
  int m_bottomInset = 0;
};

}  // namespace p2::views
