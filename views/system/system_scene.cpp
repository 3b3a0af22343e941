// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_scene.h"

#include <QGraphicsSceneMouseEvent>
#include <QPainter>
#include <QPainterPathStroker>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

#include "views/common/text.h"

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
  const bool network =
      m_shape.kind == Shape::Kind::Bar || m_shape.kind == Shape::Kind::Rail || m_shape.kind == Shape::Kind::Caption;
  if (!network || m_shape.part.kind != Kind::Network) return std::nullopt;
  return QPointF(m_shape.rect.right(), m_shape.rect.center().y());
}

void ShapeItem::change(bool ShapeLook::*flag, bool on) {
  if (std::exchange(m_look.*flag, on) != on) update();
}

void ShapeItem::setLoad(const ShownLoad* load) {
  m_look.load = load;
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
  ShapeLook look = m_look;
  look.selected = isSelected();
  paintShape(*painter, m_shape, look);
}

void ShapeItem::mousePressEvent(QGraphicsSceneMouseEvent* event) {
  // With Shift a rubber band begins anywhere, boxes included.
  if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    event->ignore();
  } else {
    QGraphicsItem::mousePressEvent(event);
  }
}

SystemScene::SystemScene(QObject* parent) : QGraphicsScene(parent) {
  connect(this, &QGraphicsScene::selectionChanged, this, &SystemScene::markLinks);
}

// On its way out it would still tell itself that nothing is selected any more.
SystemScene::~SystemScene() { disconnect(this, nullptr, this, nullptr); }

void SystemScene::setSystem(const System& system) {
  if (system == m_system) return;
  m_system = system;
  m_open.resize(system.levels.size(), 0);
  if (!m_room.isEmpty()) m_detail = fittingDetail(m_system, m_open, m_room);
  redraw();
}

void SystemScene::setRoom(QSizeF room) {
  m_room = room;
  const DrawingDetail detail = fittingDetail(m_system, m_open, m_room);
  if (detail == m_detail) return;
  m_detail = detail;
  redraw();
}

void SystemScene::open(int level, std::int64_t instance) {
  m_open[std::size_t(level)] = instance % m_system.levels[std::size_t(level)].count;
  redraw();
}

void SystemScene::turn(int level, int pages) {
  const std::int64_t count = m_system.levels[std::size_t(level)].count;
  const DrawnLevel page = drawnLevels(m_system, m_open, m_detail)[std::size_t(level)];
  const std::int64_t abreast = level + 1 == int(m_system.levels.size()) ? m_detail.devices : m_detail.chips;
  const std::int64_t wanted = page.first + pages * abreast;
  if (wanted >= 0 && wanted < count) open(level, wanted);
}

void SystemScene::redraw() {
  const std::vector<SystemPart> chosen = selectedParts();
  {
    const QSignalBlocker blocker(this);  // keeps the selection
    clear();
    m_items.clear();
    m_drawing = drawSystem(m_system, m_open, m_detail);
    m_labels = wireLabels(m_drawing, m_loads);
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
  markLinks();
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

ShapeItem* SystemScene::itemOfLink(const QString& name) const {
  const std::string wanted = name.toStdString();
  const auto found = std::find_if(m_items.begin(), m_items.end(), [&](const ShapeItem* item) {
    const auto& names = item->drawn().part.names;
    return std::find(names.begin(), names.end(), wanted) != names.end();
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

void SystemScene::pointAt(const Shape* shape) {
  const bool atRail = shape != nullptr && shape->rail;
  for (ShapeItem* item : m_items) {
    const Shape& own = item->drawn();
    const bool atSameRail = atRail && own.rail && own.part.index == shape->part.index;
    item->setDimmed(atSameRail && own.part.instance != shape->part.instance);
  }
}

void SystemScene::markLinks() {
  std::vector<const Shape*> chosen;
  for (const ShapeItem* item : m_items) {
    if (item->isSelected() && item->drawn().kind != Shape::Kind::Link) chosen.push_back(&item->drawn());
  }
  for (ShapeItem* item : m_items) {
    const Shape& link = item->drawn();
    if (link.kind != Shape::Kind::Link) continue;
    item->setMarked(std::any_of(chosen.begin(), chosen.end(), [&](const Shape* shape) {
      const bool own = shape->part.kind == link.part.kind && shape->part.index == link.part.index;
      // The caption of rings stands for all of them.
      return own && (shape->kind == Shape::Kind::Caption || shape->part.instance == link.part.instance);
    }));
  }
}

void SystemScene::setLoads(ShownLoads loads) {
  m_loads = std::move(loads);
  m_labels = wireLabels(m_drawing, m_loads);
  for (ShapeItem* item : m_items) item->setLoad(loadOf(item->drawn(), m_loads));
}

std::vector<std::pair<QString, ShownLoad>> SystemScene::busiestLinks() const {
  std::vector<std::pair<QString, ShownLoad>> links;
  for (const auto& [name, load] : m_loads) links.emplace_back(qs(name), load);
  std::stable_sort(links.begin(), links.end(),
                   [](const auto& a, const auto& b) { return a.second.fraction > b.second.fraction; });
  return links;
}

}  // namespace p2::views
