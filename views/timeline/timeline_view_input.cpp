// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and keys of the timeline.
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "views/common/text.h"
#include "views/timeline/timeline_view.h"

namespace p2::views {
namespace {

constexpr double kZoomStep = 1.25;
constexpr double kPanShare = 0.1;  // share of the visible time

}  // namespace

bool TimelineView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto slice = sliceAt(help->pos());
    QToolTip::showText(help->globalPos(),
                       slice ? qs(describe(*m_rows.timeline(), m_rows.timeline()->slices[*slice])) : toolTip(), this);
    return true;
  }
  if (event->type() == QEvent::Leave) {
    m_pointer.reset();
    hover({});
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  const int delta = turned.y() != 0 ? turned.y() : turned.x();
  if (event->modifiers().testFlag(Qt::ShiftModifier) || turned.y() == 0) {
    pan(-delta / 120.0 * kPanShare * (m_to - m_from));
  } else {
    m_pointer = event->position();
    zoomAt(pointedTime(), std::pow(kZoomStep, delta / 120.0));
  }
  event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  m_pressed = event->position();
  m_dragged = event->position();
  m_moved = false;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  m_pointer = event->position();
  if (!m_dragged) return hoverAgain();
  const QPointF way = event->position() - *m_dragged;
  if (!m_moved && (event->position() - m_pressed).manhattanLength() < QApplication::startDragDistance()) return;
  m_moved = true;
  m_dragged = event->position();
  pan(-way.x() / window().area.width() * (m_to - m_from));
  verticalScrollBar()->setValue(int(verticalScrollBar()->value() - way.y()));
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  if (m_dragged && !m_moved && event->button() == Qt::LeftButton) choose(sliceAt(event->position()));
  m_dragged.reset();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto slice = sliceAt(event->position())) emit followed(*slice);
}

/// The time under the mouse, over names the first that is shown; the middle where the mouse is elsewhere.
double TimelineView::pointedTime() const {
  const TimelineWindow seen = window();
  return m_pointer ? seen.timeAt(std::clamp(m_pointer->x(), seen.area.left(), seen.area.right())) : (m_from + m_to) / 2;
}

bool TimelineView::panByKey(int key) {
  const double span = m_to - m_from;
  switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
      return zoomAt(pointedTime(), kZoomStep), true;
    case Qt::Key_S:
    case Qt::Key_Minus:
      return zoomAt(pointedTime(), 1 / kZoomStep), true;
    case Qt::Key_A:
      return pan(-kPanShare * span), true;
    case Qt::Key_D:
      return pan(kPanShare * span), true;
    case Qt::Key_0:
      return showAll(), true;
    default:
      return false;
  }
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  const bool isPlain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
  if (!m_rows.timeline() || !isPlain) return QAbstractScrollArea::keyPressEvent(event);
  if (panByKey(event->key())) return;
  switch (event->key()) {
    case Qt::Key_Left:
      return step(0, -1);
    case Qt::Key_Right:
      return step(0, 1);
    case Qt::Key_Up:
      return step(-1, 0);
    case Qt::Key_Down:
      return step(1, 0);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_chosen) emit followed(*m_chosen);
      return;
    default:
      QAbstractScrollArea::keyPressEvent(event);
  }
}

/// Chooses a neighbour of the chosen slice: in its row, or at its time in another row.
void TimelineView::step(int rows, int slices) {
  if (m_rows.timeline()->slices.empty()) return;
  if (!m_chosen) return choose(0);
  const auto row = rowOf(*m_chosen);
  if (!row) return;
  if (slices != 0) {
    const auto& all = m_rows.rows()[*row].slices;
    const auto place = std::lower_bound(all.begin(), all.end(), *m_chosen) - all.begin() + slices;
    if (place >= 0 && place < std::ssize(all)) choose(all[std::size_t(place)]);
    return;
  }
  const TimelineSlice& from = m_rows.timeline()->slices[*m_chosen];
  for (auto next = std::ptrdiff_t(*row) + rows; next >= 0 && next < std::ssize(m_rows.rows()); next += rows) {
    const auto& all = m_rows.rows()[std::size_t(next)].slices;
    if (all.empty()) continue;
    const auto found = m_rows.at(std::size_t(next), from.start + from.seconds / 2);
    return choose(found ? *found : all.front());
  }
}

}  // namespace p2::views
