// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_canvas.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "views/common/focus_ring.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/system/mini_map.h"

namespace p2::views {
namespace {

constexpr double kHandle = 5;       // radius
constexpr double kLargeLabel = 20;  // size in pixels of a folded part's text from which it is unfolded

}  // namespace

SystemCanvas::SystemCanvas(QWidget* parent)
    : QGraphicsView(parent),
      m_navigation(*this, *viewport(), Navigation::LeftButton::IsTheDrawings),
      m_scene(new SystemScene(this)) {
  setObjectName(QStringLiteral("systemCanvas"));
  setAccessibleName(tr("Drawing of the system"));
  showFocusRing(*this);
  setScene(m_scene);
  setRenderHint(QPainter::Antialiasing);
  setDragMode(RubberBandDrag);
  setRubberBandSelectionMode(Qt::ContainsItemShape);
  setTransformationAnchor(NoAnchor);
  setViewportUpdateMode(SmartViewportUpdate);
  setFrameShape(NoFrame);
  setMouseTracking(true);
  setMinimumSize(160, 120);
  m_map = new MiniMap(*this);
  connect(m_scene, &SystemScene::redrawn, this, [this] {
    m_lit.reset();
    if (m_fitted) fit();
    m_map->follow();
  });
  connect(m_scene, &QGraphicsScene::selectionChanged, viewport(), qOverload<>(&QWidget::update));
}

void SystemCanvas::setSystem(const System& system) {
  m_scene->setSystem(system);
  setAccessibleDescription(qs(describe(system)));
}

bool SystemCanvas::holds(QPoint global) const { return viewport()->rect().contains(viewport()->mapFromGlobal(global)); }

std::optional<SystemPart> SystemCanvas::partAt(QPoint global) const {
  const ShapeItem* item = m_scene->shapeAt(mapToScene(viewport()->mapFromGlobal(global)));
  return item == nullptr ? std::nullopt : std::optional(item->drawn().part);
}

void SystemCanvas::showTarget(std::optional<QPoint> global) {
  light(global && holds(*global) ? m_scene->shapeAt(mapToScene(viewport()->mapFromGlobal(*global))) : nullptr);
}

std::optional<QPoint> SystemCanvas::handleOf(const SystemPart& network) const {
  const ShapeItem* item = m_scene->itemOf(network);
  const auto handle = item == nullptr ? std::nullopt : item->handle();
  return handle ? std::optional(mapFromScene(*handle)) : std::nullopt;
}

void SystemCanvas::fit() {
  m_fitted = true;
  m_magnification = 1;
  m_scene->setRoom(size());
  const QRectF bounds = m_scene->drawing().bounds;
  const auto zoom = Navigation::fittedZoom(bounds, size());
  if (!zoom) return;
  setSceneRect({});
  setTransform(QTransform::fromScale(*zoom, *zoom));
  centerOn(bounds.center());
  m_map->follow();
}

QSizeF SystemCanvas::roomNow() const { return QSizeF(size()) * std::max(1.0, m_magnification); }

SystemCanvas::Held SystemCanvas::heldAt(QPointF at) const {
  const QPointF point = mapToScene(at.toPoint());
  const ShapeItem* item = m_scene->shapeAt(point);
  const bool box = item != nullptr && item->drawn().kind != SystemDrawing::Shape::Kind::Link;
  const QRectF rect = box ? item->drawn().rect : m_scene->drawing().bounds;
  if (rect.isEmpty()) return {};
  const QPointF from = point - rect.topLeft();
  return {box ? std::optional(item->drawn().part) : std::nullopt, {from.x() / rect.width(), from.y() / rect.height()}};
}

QPointF SystemCanvas::placeOf(const Held& held) const {
  const ShapeItem* item = held.part ? m_scene->itemOf(*held.part) : nullptr;
  const QRectF rect = item != nullptr ? item->drawn().rect : m_scene->drawing().bounds;
  return rect.topLeft() + QPointF(held.within.x() * rect.width(), held.within.y() * rect.height());
}

// The point under the mouse stays there, also when it is drawn in another way than before.
void SystemCanvas::zoomAt(QPointF anchor, double factor) {
  const Held held = heldAt(anchor);
  const auto fitted = Navigation::fittedZoom(m_scene->drawing().bounds, size());
  if (!fitted) return;
  m_fitted = false;
  m_magnification = Navigation::limited(*fitted * m_magnification * factor) / *fitted;
  m_scene->setRoom(roomNow());
  const double base = Navigation::fittedZoom(m_scene->drawing().bounds, size()).value_or(*fitted);
  const double zoom = Navigation::limited(base * m_magnification);
  setTransform(QTransform::fromScale(zoom, zoom));
  giveRoomAround();
  panBy(anchor - mapFromScene(placeOf(held)));
  if (factor > 1 && zoom * kDrawnText >= kLargeLabel) unfoldAt(anchor);
}

// A view without it would put a small drawing into its middle, wherever it is held.
void SystemCanvas::giveRoomAround() {
  const double width = viewport()->width() / transform().m11();
  const double height = viewport()->height() / transform().m11();
  setSceneRect(m_scene->drawing().bounds.adjusted(-width, -height, width, height));
}

// There is never room for all of a large system; the enclosing part is still seen.
void SystemCanvas::unfoldAt(QPointF anchor) {
  const ShapeItem* item = m_scene->shapeAt(mapToScene(anchor.toPoint()));
  if (item == nullptr || item->drawn().kind != SystemDrawing::Shape::Kind::Chip) return;
  const Held held = heldAt(anchor);
  openShape(*item);
  giveRoomAround();
  panBy(anchor - mapFromScene(placeOf(held)));
}

void SystemCanvas::panBy(QPointF pixels) {
  const QPoint by = pixels.toPoint();
  m_fitted = false;
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by.x());
  verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
  m_map->follow();
}

void SystemCanvas::scrollContentsBy(int dx, int dy) {
  QGraphicsView::scrollContentsBy(dx, dy);
  // Widgets on the viewport move along with it.
  m_map->follow();
  viewport()->update();
}

void SystemCanvas::drawBackground(QPainter* painter, const QRectF& rect) { painter->fillRect(rect, Theme::surface()); }

void SystemCanvas::drawForeground(QPainter* painter, const QRectF&) {
  paintLabels(*painter, m_scene->labels());
  painter->setPen(QPen(Theme::accent(), 1.5));
  painter->setBrush(Theme::surface());
  for (const QGraphicsItem* item : m_scene->items()) {
    const auto& own = *static_cast<const ShapeItem*>(item);
    const bool pointedAt = own.isSelected() || m_lit == own.drawn().part;
    if (pointedAt && own.handle()) painter->drawEllipse(*own.handle(), kHandle, kHandle);
  }
  if (m_drag != Drag::Connect) return;
  painter->setPen(QPen(Theme::accent(), 2, Qt::DashLine));
  painter->drawLine(mapToScene(m_dragFrom), mapToScene(m_dragAt));
}

void SystemCanvas::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  m_scene->setRoom(roomNow());
  if (m_fitted) fit();
  m_map->follow();
}

void SystemCanvas::light(ShapeItem* item) {
  const std::optional<SystemPart> part = item == nullptr ? std::nullopt : std::optional(item->drawn().part);
  if (part == m_lit) return;
  if (ShapeItem* old = m_lit ? m_scene->itemOf(*m_lit) : nullptr) old->setLit(false);
  m_lit = part;
  if (item != nullptr) item->setLit(true);
  m_scene->pointAt(item == nullptr ? nullptr : &item->drawn());
  viewport()->update();
}

}  // namespace p2::views
