// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kStep = 1.25;
constexpr double kLeastZoom = 0.02;
constexpr double kMostZoom = 8;
constexpr double kMostFittedZoom = 1.5;  // small drawings are not blown up beyond this
constexpr double kPanStep = 48;

bool isZoomKey(const QKeyEvent& event) {
  if (!event.modifiers().testFlag(Qt::ControlModifier)) return false;
  const int key = event.key();
  return key == Qt::Key_Plus || key == Qt::Key_Equal || key == Qt::Key_Minus || key == Qt::Key_0;
}

}  // namespace

Canvas::Canvas(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(160, 120);
}

void Canvas::zoomIn() { zoomAt(rect().center(), kStep); }
void Canvas::zoomOut() { zoomAt(rect().center(), 1 / kStep); }

void Canvas::fit() {
  m_fitted = true;
  const QRectF bounds = drawingBounds();
  const QSizeF room = size() - QSizeF(2 * Theme::kGrid, 2 * Theme::kGrid);
  if (bounds.isEmpty() || room.isEmpty()) return;
  m_zoom =
      std::clamp(std::min(room.width() / bounds.width(), room.height() / bounds.height()), kLeastZoom, kMostFittedZoom);
  m_offset = QPointF(width(), height()) / 2 - bounds.center() * m_zoom;
  update();
}

void Canvas::drawingChanged() {
  if (m_fitted) fit();
  update();
}

void Canvas::zoomAt(QPointF anchor, double factor) {
  const QPointF point = toDrawing(anchor);
  m_zoom = std::clamp(m_zoom * factor, kLeastZoom, kMostZoom);
  m_offset = anchor - point * m_zoom;
  m_fitted = false;
  update();
}

void Canvas::pan(QPointF by) {
  m_offset += by;
  m_fitted = false;
  update();
}

void Canvas::reveal(const QRectF& part) {
  const QRectF shown(toWidget(part.topLeft()), toWidget(part.bottomRight()));
  const QRectF room = QRectF(rect()).adjusted(Theme::kGrid, Theme::kGrid, -Theme::kGrid, -Theme::kGrid);
  const auto least = [](double low, double high, double from, double to) {
    return low < from ? from - low : high > to ? std::max(to - high, from - low) : 0;
  };
  const QPointF by(least(shown.left(), shown.right(), room.left(), room.right()),
                   least(shown.top(), shown.bottom(), room.top(), room.bottom()));
  if (!by.isNull()) pan(by);
}

bool Canvas::event(QEvent* event) {
  // While the drawing has the focus these keys are its own, not the window's text zoom.
  if (event->type() == QEvent::ShortcutOverride && isZoomKey(*static_cast<QKeyEvent*>(event))) event->accept();
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
  paintDrawing(painter, QRectF(toDrawing({0, 0}), toDrawing({double(width()), double(height())})));
  painter.restore();
  painter.setPen(QPen(hasFocus() ? Theme::accent() : Theme::line(), 1));
  painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void Canvas::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (m_fitted) fit();
}

void Canvas::wheelEvent(QWheelEvent* event) {
  zoomAt(event->position(), std::pow(kStep, event->angleDelta().y() / 120.0));
  event->accept();
}

void Canvas::mousePressEvent(QMouseEvent* event) { m_dragFrom = event->position(); }

void Canvas::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton)) {
    setCursor(Qt::ClosedHandCursor);
    pan(event->position() - m_dragFrom);
    m_dragFrom = event->position();
    return;
  }
  hovered(toDrawing(event->position()));
}

void Canvas::mouseReleaseEvent(QMouseEvent*) { unsetCursor(); }

void Canvas::leaveEvent(QEvent*) { hovered(std::nullopt); }

void Canvas::keyPressEvent(QKeyEvent* event) {
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  if (isZoomKey(*event)) {
    if (event->key() == Qt::Key_0) {
      fit();
    } else if (event->key() == Qt::Key_Minus) {
      zoomOut();
    } else {
      zoomIn();
    }
  } else if (shift && event->key() == Qt::Key_Left) {
    pan({kPanStep, 0});
  } else if (shift && event->key() == Qt::Key_Right) {
    pan({-kPanStep, 0});
  } else if (shift && event->key() == Qt::Key_Up) {
    pan({0, kPanStep});
  } else if (shift && event->key() == Qt::Key_Down) {
    pan({0, -kPanStep});
  } else {
    QWidget::keyPressEvent(event);
  }
}

}  // namespace p2::views
