// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse and keys do on the canvas.
#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <cmath>

#include "views/system/system_canvas.h"

namespace p2::views {
namespace {

using Drawn = SystemDrawing::Shape;
using Kind = SystemPart::Kind;

constexpr double kHandleReach = 9;  // around a handle

QPointF middleOf(const Drawn& shape) {
  return shape.kind == Drawn::Kind::Link ? shape.line.boundingRect().center() : shape.rect.center();
}

}  // namespace

bool SystemCanvas::event(QEvent* event) {
  if (m_navigation.handle(*event)) return true;
  if (event->type() == QEvent::PaletteChange) m_scene->update();
  return QGraphicsView::event(event);
}

bool SystemCanvas::viewportEvent(QEvent* event) {
  return m_navigation.handle(*event) || QGraphicsView::viewportEvent(event);
}

void SystemCanvas::hoverAt(QPoint at) {
  ShapeItem* item = m_scene->shapeAt(mapToScene(at));
  const bool device = item != nullptr && item->drawn().kind == Drawn::Kind::Device;
  emit deviceHovered(device ? Device(item->drawn().part.instance) : Device());
  light(item);
  emit shapeHovered(item == nullptr ? QString() : item->toolTip());
}

ShapeItem* SystemCanvas::networkWithHandleAt(QPoint at) const {
  const QPointF point = mapToScene(at);
  for (QGraphicsItem* item : m_scene->items()) {
    auto* own = static_cast<ShapeItem*>(item);
    if (own->handle() && QLineF(point, *own->handle()).length() <= kHandleReach) return own;
  }
  return nullptr;
}

void SystemCanvas::mousePressEvent(QMouseEvent* event) {
  // The right button opens the menu of the part under it, and would begin a rubber band otherwise.
  if (event->button() == Qt::RightButton) return event->accept();
  m_dragFrom = m_dragAt = event->pos();
  if (event->button() == Qt::LeftButton) {
    if (const ShapeItem* network = networkWithHandleAt(event->pos())) {
      m_drag = Drag::Connect;
      m_dragged = network->drawn().part.index;
      return;
    }
    const ShapeItem* item = m_scene->shapeAt(mapToScene(event->pos()));
    if (item != nullptr && item->drawn().part.kind == Kind::Level && event->modifiers() == Qt::NoModifier) {
      m_dragged = item->drawn().part.index;
      m_drag = Drag::Level;
    }
  }
  QGraphicsView::mousePressEvent(event);
}

void SystemCanvas::mouseMoveEvent(QMouseEvent* event) {
  m_dragAt = event->pos();
  hoverAt(event->pos());
  if (m_drag == Drag::Connect) viewport()->update();
  if (m_drag == Drag::Level && (m_dragAt - m_dragFrom).manhattanLength() >= QApplication::startDragDistance()) {
    setCursor(Qt::SizeVerCursor);
  }
  QGraphicsView::mouseMoveEvent(event);
}

void SystemCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::RightButton) return event->accept();
  const bool moved = (event->pos() - m_dragFrom).manhattanLength() >= QApplication::startDragDistance();
  QGraphicsView::mouseReleaseEvent(event);
  if (moved) {
    finishDrag(event->pos());
  } else if (event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier) {
    if (const ShapeItem* item = m_scene->shapeAt(mapToScene(event->pos()))) openShape(*item);
  }
  m_drag = Drag::None;
  unsetCursor();
  viewport()->update();
}

void SystemCanvas::finishDrag(QPoint at) {
  const ShapeItem* target = m_scene->shapeAt(mapToScene(at));
  if (target == nullptr) return;
  const SystemPart part = target->drawn().part;
  if (m_drag == Drag::Connect) emit connectWanted(m_dragged, part);
  if (m_drag == Drag::Level && part.kind == Kind::Level && part.index != m_dragged) {
    emit moveWanted(m_dragged, part.index);
  }
}

void SystemCanvas::openShape(const ShapeItem& item) {
  const Drawn::Kind kind = item.drawn().kind;
  const SystemPart part = item.drawn().part;
  const bool folded = kind == Drawn::Kind::Chip || kind == Drawn::Kind::More;
  if (folded && part.kind == Kind::Level) m_scene->open(part.index, part.instance);
}

void SystemCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  QGraphicsView::mouseDoubleClickEvent(event);
  if (!m_scene->selectedParts().empty()) emit detailsWanted();
}

void SystemCanvas::leaveEvent(QEvent* event) {
  QGraphicsView::leaveEvent(event);
  light(nullptr);
  emit shapeHovered({});
  emit deviceHovered({});
}

ShapeItem* SystemCanvas::current() const {
  const std::vector<SystemPart> chosen = m_scene->selectedParts();
  return chosen.empty() ? nullptr : m_scene->itemOf(chosen.back());
}

void SystemCanvas::step(QPointF direction, bool extend) {
  const ShapeItem* from = current();
  ShapeItem* nearest = nullptr;
  double best = INFINITY;
  for (QGraphicsItem* item : m_scene->items()) {
    auto* own = static_cast<ShapeItem*>(item);
    if (own == from || !own->flags().testFlag(QGraphicsItem::ItemIsSelectable)) continue;
    const QPointF way = middleOf(own->drawn()) - (from == nullptr ? QPointF() : middleOf(from->drawn()));
    const double ahead = QPointF::dotProduct(way, direction);
    const double aside = std::abs(way.x() * direction.y()) + std::abs(way.y() * direction.x());
    // Going straight matters more than going near, so that a row is walked to its end.
    const double score = from == nullptr ? way.manhattanLength() : ahead + 4 * aside;
    if ((from == nullptr || ahead > 0.5) && score < best) {
      best = score;
      nearest = own;
    }
  }
  if (nearest == nullptr) return;
  std::vector<SystemPart> chosen = extend ? m_scene->selectedParts() : std::vector<SystemPart>();
  chosen.push_back(nearest->drawn().part);
  m_scene->select(chosen);
  ensureVisible(nearest);
  emit shapeHovered(nearest->toolTip());
}

void SystemCanvas::keyPressEvent(QKeyEvent* event) {
  const QPointF direction = directionOf(event->key());
  if (!direction.isNull() && !event->modifiers().testFlag(Qt::AltModifier)) {
    step(direction, event->modifiers().testFlag(Qt::ControlModifier));
  } else if ((event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown) && current() != nullptr) {
    const SystemPart part = current()->drawn().part;
    if (part.kind != Kind::Network) m_scene->turn(part.index, event->key() == Qt::Key_PageDown ? 1 : -1);
  } else if (event->key() == Qt::Key_Space && current() != nullptr) {
    openShape(*current());
  } else if (event->key() == Qt::Key_Return && current() != nullptr) {
    emit detailsWanted();
  } else {
    event->ignore();
  }
}

void SystemCanvas::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Mouse) {
    const ShapeItem* item = m_scene->shapeAt(mapToScene(event->pos()));
    if (item == nullptr) {
      m_scene->select({});
    } else if (!item->isSelected()) {
      m_scene->select({item->drawn().part});
    }
  }
  emit menuWanted(event->globalPos());
}

}  // namespace p2::views
