// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/navigation.h"

#include <QGestureEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPinchGesture>
#include <QWheelEvent>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kPanStep = 48;
constexpr double kWheelNotch = 120;  // eighths of a degree

enum class Act { None, ZoomIn, ZoomOut, Fit, Pan };

struct Meaning {
  Act act = Act::None;
  QPointF pan = {};
};

Meaning meaningOf(const QKeyEvent& event) {
  const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
  const int key = event.key();
  if (modifiers == Qt::ShiftModifier) {
    if (key == Qt::Key_Left) return {Act::Pan, {kPanStep, 0}};
    if (key == Qt::Key_Right) return {Act::Pan, {-kPanStep, 0}};
    if (key == Qt::Key_Up) return {Act::Pan, {0, kPanStep}};
    if (key == Qt::Key_Down) return {Act::Pan, {0, -kPanStep}};
  }
  // On many keyboards + takes Shift, and on others it is where = is on these.
  if (modifiers & ~(Qt::ControlModifier | Qt::ShiftModifier)) return {};
  if (key == Qt::Key_Plus || key == Qt::Key_Equal) return {Act::ZoomIn};
  if (key == Qt::Key_Minus) return {Act::ZoomOut};
  if (key == Qt::Key_0) return {Act::Fit};
  return {};
}

}  // namespace

QPoint directionOf(int key) {
  switch (key) {
    case Qt::Key_Left:
      return {-1, 0};
    case Qt::Key_Right:
      return {1, 0};
    case Qt::Key_Up:
      return {0, -1};
    case Qt::Key_Down:
      return {0, 1};
    default:
      return {};
  }
}

Navigation::Navigation(Navigable& drawing, QWidget& surface, LeftButton left)
    : m_drawing(drawing), m_surface(surface), m_left(left) {
  surface.setMouseTracking(true);
  surface.grabGesture(Qt::PinchGesture);
}

double Navigation::limited(double zoom) { return std::clamp(zoom, kLeastZoom, kMostZoom); }

std::optional<double> Navigation::fittedZoom(const QRectF& drawing, QSizeF widget, double most) {
  const QSizeF room = widget - QSizeF(2 * Theme::kGrid, 2 * Theme::kGrid);
  if (drawing.isEmpty() || room.isEmpty()) return std::nullopt;
  const double zoom = std::min(room.width() / drawing.width(), room.height() / drawing.height());
  return std::clamp(zoom, kLeastZoom, most);
}

void Navigation::zoomIn() { m_drawing.zoomAt(QRectF(m_surface.rect()).center(), kStep); }
void Navigation::zoomOut() { m_drawing.zoomAt(QRectF(m_surface.rect()).center(), 1 / kStep); }

bool Navigation::handle(QEvent& event) {
  switch (event.type()) {
    case QEvent::ShortcutOverride:
      // While the drawing has the focus these keys are its own, not the window's text zoom.
      if (meaningOf(static_cast<QKeyEvent&>(event)).act != Act::None) event.accept();
      return false;
    case QEvent::KeyPress:
      return handleKey(static_cast<QKeyEvent&>(event));
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease:
      return handleMouse(static_cast<QMouseEvent&>(event));
    case QEvent::Wheel: {
      const auto& wheel = static_cast<QWheelEvent&>(event);
      const double notches = wheel.angleDelta().y() / kWheelNotch;
      if (notches != 0) m_drawing.zoomAt(wheel.position(), std::pow(kStep, notches));
      event.accept();
      return true;
    }
    case QEvent::NativeGesture: {
      const auto& gesture = static_cast<QNativeGestureEvent&>(event);
      if (gesture.gestureType() != Qt::ZoomNativeGesture) return false;
      m_drawing.zoomAt(gesture.position(), 1 + gesture.value());
      // Else it goes on to the parents.
      event.accept();
      return true;
    }
    case QEvent::Gesture:
      return handleGesture(static_cast<QGestureEvent&>(event));
    default:
      return false;
  }
}

bool Navigation::handleKey(const QKeyEvent& event) {
  const Meaning meaning = meaningOf(event);
  switch (meaning.act) {
    case Act::None:
      return false;
    case Act::ZoomIn:
      zoomIn();
      return true;
    case Act::ZoomOut:
      zoomOut();
      return true;
    case Act::Fit:
      m_drawing.fit();
      return true;
    case Act::Pan:
      m_drawing.panBy(meaning.pan);
      return true;
  }
  return false;
}

bool Navigation::handleMouse(const QMouseEvent& event) {
  const bool middle = event.button() == Qt::MiddleButton;
  if (event.type() == QEvent::MouseButtonPress) {
    m_dragging = middle || (event.button() == Qt::LeftButton && m_left == LeftButton::Pans);
    m_dragAt = event.position();
    if (middle) m_surface.setCursor(Qt::ClosedHandCursor);
    return middle;
  }
  if (event.type() == QEvent::MouseButtonRelease) {
    if (m_dragging) m_surface.unsetCursor();
    m_dragging = false;
    return middle;
  }
  if (!m_dragging || event.buttons() == Qt::NoButton) return false;
  m_surface.setCursor(Qt::ClosedHandCursor);
  m_drawing.panBy(event.position() - m_dragAt);
  m_dragAt = event.position();
  return true;
}

bool Navigation::handleGesture(QGestureEvent& event) {
  const auto* pinch = static_cast<QPinchGesture*>(event.gesture(Qt::PinchGesture));
  if (pinch == nullptr) return false;
  event.accept(Qt::PinchGesture);
  const QPointF centre = m_surface.mapFromGlobal(pinch->centerPoint());
  if (pinch->changeFlags() & QPinchGesture::ScaleFactorChanged) m_drawing.zoomAt(centre, pinch->scaleFactor());
  if (pinch->state() != Qt::GestureStarted) m_drawing.panBy(pinch->centerPoint() - pinch->lastCenterPoint());
  return true;
}

}  // namespace p2::views
