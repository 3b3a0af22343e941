// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/hierarchy_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <utility>

#include "views/common/theme.h"

namespace p2::views {
namespace {

using Shape = HierarchyDrawing::Shape;

constexpr double kReach = 6;  // widget pixels around a link
constexpr int kTextPixels = 12;
constexpr double kLeastTextHeight = 6;  // on the screen; below it text is noise

struct Look {
  QColor fill;
  QColor border;
  QColor text;
  Qt::PenStyle style = Qt::SolidLine;
};

Look lookOf(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::Box: return {Theme::box(shape.level), Theme::line(), Theme::mutedText()};
    case Shape::Kind::Device: return {Theme::surface(), Theme::mutedText(), Theme::text()};
    case Shape::Kind::More: return {Qt::transparent, Theme::mutedText(), Theme::mutedText(), Qt::DashLine};
    case Shape::Kind::Switch: return {Theme::tint(), Theme::accent(), Theme::text()};
    default: return {Qt::transparent, Qt::transparent, Theme::text()};
  }
}

void paintText(QPainter& painter, const Shape& shape, const QColor& color) {
  const bool box = shape.kind == Shape::Kind::Box;
  const QRectF room(shape.rect.left() + 4, shape.rect.top(), shape.rect.width() - 8,
                    box ? kHierarchyTitleHeight : shape.rect.height());
  painter.setPen(color);
  painter.drawText(box ? room.adjusted(4, 0, 0, 0) : room,
                   int((box ? Qt::AlignLeft : Qt::AlignHCenter) | Qt::AlignVCenter),
                   painter.fontMetrics().elidedText(shape.text, Qt::ElideRight, int(room.width())));
}

}  // namespace

HierarchyView::HierarchyView(QWidget* parent) : Canvas(parent) {
  setObjectName(QStringLiteral("hierarchyView"));
  setAccessibleName(tr("Drawing of the system"));
}

void HierarchyView::setSystem(const System& system) {
  if (system == m_system) return;
  m_system = system;
  m_lit = nullptr;
  m_drawing = drawHierarchy(system);
  setAccessibleDescription(QString::fromStdString(describe(system)));
  drawingChanged();
}

void HierarchyView::setHoveredDevice(Device device) {
  m_hoveredDevice = device;
  update();
}

const Shape* HierarchyView::shapeAt(QPointF point) const { return m_drawing.at(point, kReach / zoom()); }

void HierarchyView::paintShape(QPainter& painter, const Shape& shape, bool lit) const {
  const Look look = lookOf(shape);
  if (shape.kind == Shape::Kind::Link) {
    painter.setPen(QPen(lit ? Theme::accent() : Theme::mutedText(), lit ? 4 : 2));
    painter.drawLine(shape.line);
    return;
  }
  const bool device = shape.kind == Shape::Kind::Device && shape.instance == m_hoveredDevice;
  painter.setPen(lit || device ? QPen(Theme::accent(), 2.5) : QPen(look.border, 1, look.style));
  painter.setBrush(look.fill);
  if (shape.kind != Shape::Kind::Caption) painter.drawRoundedRect(shape.rect, 4, 4);
  if (kTextPixels * zoom() >= kLeastTextHeight) paintText(painter, shape, look.text);
}

void HierarchyView::paintDrawing(QPainter& painter, const QRectF&) {
  QFont font = Theme::tabularFont();
  font.setPixelSize(kTextPixels);
  painter.setFont(font);
  for (const Shape& shape : m_drawing.shapes) paintShape(painter, shape, &shape == m_lit);
}

void HierarchyView::hovered(std::optional<QPointF> point) {
  const Shape* shape = point ? shapeAt(*point) : nullptr;
  if (shape == std::exchange(m_lit, shape)) return;
  update();
  emit shapeHovered(shape != nullptr ? shape->name : QString());
  emit deviceHovered(shape != nullptr && shape->kind == Shape::Kind::Device ? shape->instance : -1);
}

bool HierarchyView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Shape* shape = shapeAt(toDrawing(help->pos()));
    QToolTip::showText(help->globalPos(), shape != nullptr ? shape->name : QString(), this);
    return true;
  }
  return Canvas::event(event);
}

}  // namespace p2::views
