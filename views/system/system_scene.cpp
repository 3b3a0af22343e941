// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_scene.h"

#include <QGraphicsSceneMouseEvent>
#include <QPainter>
#include <QPainterPathStroker>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

namespace p2::views {
namespace {

using Shape = SystemDrawing::Shape;
using Kind = SystemPart::Kind;

constexpr double kReach = 12;  // width of the strip in which a link is caught

bool samePart(const SystemPart& wanted, const SystemPart& shown) {
  return wanted.kind == shown.kind && wanted.index == shown.index && wanted.link == shown.link &&
         (wanted.instance < 0 || wanted.instance == shown.instance) && (!wanted.link || wanted.names == shown.names);
}

}  // namespace

ShapeItem::ShapeItem(const Shape& shape) : m_shape(shape) {
  setFlag(ItemIsSelectable, shape.kind != Shape::Kind::More);
  setToolTip(shape.name);
}

std::optional<QPointF> ShapeItem::handle() const {
  if (m_shape.kind != Shape::Kind::Bar || m_shape.part.kind != Kind::Network) return std::nullopt;
  return QPointF(m_shape.rect.right(), m_shape.rect.center().y());
}

void ShapeItem::setLit(bool lit) {
  if (std::exchange(m_lit, lit) != lit) update();
}

void ShapeItem::setLoad(const ShownLoad* load) {
  m_load = load;
  setToolTip(load == nullptr ? m_shape.name : m_shape.name + QStringLiteral(" · ") + load->text);
  update();
}

QRectF ShapeItem::boundingRect() const {
  const QRectF rect = m_shape.kind == Shape::Kind::Link ? m_shape.line.boundingRect() : m_shape.rect;
  return rect.adjusted(-kShapeMargin, -kShapeMargin, kShapeMargin, kShapeMargin);
}

QPainterPath ShapeItem::shape() const {
  QPainterPath path;
  if (m_shape.kind != Shape::Kind::Link) {
    path.addRect(m_shape.rect);
    return path;
  }
  path.addPolygon(m_shape.line);
  QPainterPathStroker stroker;
  stroker.setWidth(kReach);
  return stroker.createStroke(path);
}

void ShapeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  paintShape(*painter, m_shape, {m_lit, isSelected(), m_load});
}

void ShapeItem::mousePressEvent(QGraphicsSceneMouseEvent* event) {
  // With Shift a rubber band begins anywhere, boxes included.
  if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    event->ignore();
  } else {
    QGraphicsItem::mousePressEvent(event);
  }
}

void SystemScene::setSystem(const System& system) {
  if (system == m_system) return;
  m_system = system;
  m_open.resize(system.levels.size(), 0);
  redraw();
}

void SystemScene::open(int level, std::int64_t instance) {
  m_open[std::size_t(level)] = instance % m_system.levels[std::size_t(level)].count;
  redraw();
}

void SystemScene::turn(int level, int pages) {
  const std::int64_t count = m_system.levels[std::size_t(level)].count;
  const std::int64_t wanted = drawnLevels(m_system, m_open)[std::size_t(level)].first + pages * kMostAbreast;
  if (wanted >= 0 && wanted < count) open(level, wanted);
}

void SystemScene::redraw() {
  const std::vector<SystemPart> chosen = selectedParts();
  {
    const QSignalBlocker blocker(this);  // what is selected stays so
    clear();
    m_items.clear();
    m_drawing = drawSystem(m_system, m_open);
    for (const Shape& shape : m_drawing.shapes) {
      m_items.push_back(new ShapeItem(shape));
      m_items.back()->setZValue(double(m_items.size()));
      m_items.back()->setLoad(loadOf(shape, m_loads));
      addItem(m_items.back());
      m_items.back()->setSelected(std::any_of(chosen.begin(), chosen.end(),
                                              [&](const SystemPart& part) { return samePart(part, shape.part); }));
    }
  }
  setSceneRect(m_drawing.bounds.adjusted(-kShapeMargin, -kShapeMargin, kShapeMargin, kShapeMargin));
  setHoveredDevice(m_hoveredDevice);
  update();
  emit redrawn();
  if (selectedParts() != chosen) emit selectionChanged();
}

ShapeItem* SystemScene::shapeAt(QPointF point) const {
  const auto hit = std::find_if(m_items.rbegin(), m_items.rend(),
                                [&](const ShapeItem* item) { return item->shape().contains(point); });
  return hit == m_items.rend() ? nullptr : *hit;
}

ShapeItem* SystemScene::itemOf(const SystemPart& part) const {
  const auto found = std::find_if(m_items.begin(), m_items.end(), [&](const ShapeItem* item) {
    return item->drawn().kind != Shape::Kind::More && samePart(part, item->drawn().part);
  });
  return found == m_items.end() ? nullptr : *found;
}

std::vector<SystemPart> SystemScene::selectedParts() const {
  std::vector<SystemPart> parts;
  for (const ShapeItem* item : m_items) {
    if (!item->isSelected()) continue;
    const SystemPart& part = item->drawn().part;
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(part);
  }
  return parts;
}

void SystemScene::select(const std::vector<SystemPart>& parts) {
  std::vector<SystemPart> chosen;
  for (const SystemPart& part : parts) {
    if (const ShapeItem* item = itemOf(part)) chosen.push_back(item->drawn().part);
  }
  {
    const QSignalBlocker blocker(this);
    for (ShapeItem* item : m_items) {
      item->setSelected(std::find(chosen.begin(), chosen.end(), item->drawn().part) != chosen.end());
    }
  }
  emit selectionChanged();
}

void SystemScene::setHoveredDevice(Device device) {
  m_hoveredDevice = device;
  for (ShapeItem* item : m_items) {
    if (item->drawn().kind == Shape::Kind::Device) item->setLit(Device(item->drawn().part.instance) == device);
  }
}

void SystemScene::setLoads(ShownLoads loads) {
  m_loads = std::move(loads);
  for (ShapeItem* item : m_items) item->setLoad(loadOf(item->drawn(), m_loads));
}

QString SystemScene::busiestLink() const {
  const auto busiest = std::max_element(m_loads.begin(), m_loads.end(), [](const auto& a, const auto& b) {
    return a.second.fraction < b.second.fraction;
  });
  if (busiest == m_loads.end()) return {};
  return QString::fromStdString(busiest->first) + QStringLiteral(": ") + busiest->second.text;
}

}  // namespace p2::views
