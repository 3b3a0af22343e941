// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/canvas.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "views/common/theme.h"

namespace p2::views {

Canvas::Canvas(QWidget* parent) : QWidget(parent), m_navigation(*this, *this, Navigation::LeftButton::Pans) {
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(160, 120);
}

void Canvas::fit() {
  m_fitted = true;
  const QRectF bounds = drawingBounds();
  const auto zoom = Navigation::fittedZoom(bounds, window().size(), mostFittedZoom());
  if (!zoom) return;
  m_zoom = *zoom;
  m_offset = window().center() - bounds.center() * m_zoom;
  update();
}

void Canvas::showLike(const Canvas& other) {
  if (other.m_fitted) {
    if (!m_fitted) fit();
    return;
  }
  // Drawings with other bounds keep their proportions: the point in the middle stays there.
  const QRectF there = other.drawingBounds();
  const QRectF here = drawingBounds();
  if (there.isEmpty() || here.isEmpty()) return;
  const QPointF middle = other.toDrawing(other.window().center()) - there.topLeft();
  const double scale = here.width() / there.width();
  m_fitted = false;
  m_zoom = Navigation::limited(other.m_zoom / scale);
  m_offset = window().center() -
             (here.topLeft() + QPointF(middle.x() * scale, middle.y() * here.height() / there.height())) * m_zoom;
  update();
}

void Canvas::zoomTo(const QRectF& part) {
  const auto zoom = Navigation::fittedZoom(part, window().size(), Navigation::kMostZoom);
  if (!zoom) return;
  m_fitted = false;
  m_zoom = *zoom;
  m_offset = window().center() - part.center() * m_zoom;
  update();
  navigated();
}

void Canvas::setBottomInset(int pixels) {
  if (pixels == m_bottomInset) return;
  m_bottomInset = pixels;
  drawingChanged();
}

void Canvas::drawingChanged() {
  if (m_fitted) fit();
  update();
}

void Canvas::zoomAt(QPointF anchor, double factor) {
  const QPointF point = toDrawing(anchor);
  m_zoom = Navigation::limited(m_zoom * factor);
  m_offset = anchor - point * m_zoom;
  m_fitted = false;
  update();
  navigated();
}

void Canvas::panBy(QPointF pixels) {
  m_offset += pixels;
  m_fitted = false;
  update();
  navigated();
}

void Canvas::reveal(const QRectF& part) {
  const QRectF shown(toWidget(part.topLeft()), toWidget(part.bottomRight()));
  const QRectF room = window().adjusted(Theme::kGrid, Theme::kGrid, -Theme::kGrid, -Theme::kGrid);
  const auto least = [](double low, double high, double from, double to) {
    return low < from ? from - low : high > to ? std::max(to - high, from - low) : 0;
  };
  const QPointF by(least(shown.left(), shown.right(), room.left(), room.right()),
                   least(shown.top(), shown.bottom(), room.top(), room.bottom()));
  if (!by.isNull()) panBy(by);
}

bool Canvas::event(QEvent* event) {
  if (m_navigation.handle(*event)) return true;
  if (event->type() == QEvent::PaletteChange) update();
  return QWidget::event(event);
}

void Canvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::surface());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.save();
  painter.translate(m_offset);
  painter.scale(m_zoom, m_zoom);
  paintDrawing(painter, QRectF(toDrawing(window().topLeft()), toDrawing(window().bottomRight())));
  painter.restore();
  const double edge = hasFocus() ? 2 : 1;
  painter.setPen(QPen(hasFocus() ? Theme::accent() : Theme::line(), edge, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
  painter.drawRect(QRectF(rect()).adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2));
}

void Canvas::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (m_fitted) fit();
}

// A click on a drawing is for it alone, not for items behind.
void Canvas::mousePressEvent(QMouseEvent* event) { event->accept(); }
void Canvas::mouseReleaseEvent(QMouseEvent* event) { event->accept(); }

void Canvas::mouseMoveEvent(QMouseEvent* event) { hovered(toDrawing(event->position())); }

void Canvas::leaveEvent(QEvent*) { hovered(std::nullopt); }

}  // namespace p2::views
