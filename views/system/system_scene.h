// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>
#include <QGraphicsScene>
#include <optional>

#include "system/topology.h"
#include "views/system/drawing_painter.h"

namespace p2::views {

/// One shape of the drawing on the scene.
class ShapeItem : public QGraphicsItem {
 public:
  explicit ShapeItem(const SystemDrawing::Shape& shape);
  [[nodiscard]] const SystemDrawing::Shape& drawn() const { return m_shape; }
  /// Where a network can be taken hold of to connect it; nothing for other shapes.
  [[nodiscard]] std::optional<QPointF> handle() const;
  void setLit(bool lit);
  void setLoad(const ShownLoad* load);

  [[nodiscard]] QRectF boundingRect() const override;
  [[nodiscard]] QPainterPath shape() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 protected:
  void mousePressEvent(QGraphicsSceneMouseEvent* event) override;

 private:
  const SystemDrawing::Shape& m_shape;
  bool m_lit = false;
  const ShownLoad* m_load = nullptr;
};

/// The drawing of a system as items that can be selected. Selections are parts of the system and outlive its edits.
class SystemScene : public QGraphicsScene {
  Q_OBJECT
 public:
  using QGraphicsScene::QGraphicsScene;

  void setSystem(const System& system);
  [[nodiscard]] const System& system() const { return m_system; }
  [[nodiscard]] const SystemDrawing& drawing() const { return m_drawing; }
  /// Shows another instance of a level, where not all are drawn.
  void open(int level, std::int64_t instance);
  /// Shows the instances of a level that come next (1) or before (−1) where not all are drawn.
  void turn(int level, int pages);

  /// The topmost shape at a point; null for none.
  [[nodiscard]] ShapeItem* shapeAt(QPointF point) const;
  /// The first item that stands for a part; null when it is not drawn.
  [[nodiscard]] ShapeItem* itemOf(const SystemPart& part) const;
  [[nodiscard]] std::vector<SystemPart> selectedParts() const;
  /// Selects these parts, or the first drawn instance of those that name none.
  void select(const std::vector<SystemPart>& parts);

  void setHoveredDevice(Device device);
  /// Colours and widens the links by their loads; an empty map takes the loads away.
  void setLoads(ShownLoads loads);
  [[nodiscard]] const ShownLoads& loads() const { return m_loads; }
  /// "node 2 ↑: 134 MB, 0.81 s": the busiest link there is, drawn or not; empty without loads.
  [[nodiscard]] QString busiestLink() const;

 signals:
  void redrawn();

 private:
  void redraw();

  System m_system;
  SystemDrawing m_drawing;
  std::vector<std::int64_t> m_open;
  std::vector<ShapeItem*> m_items;
  ShownLoads m_loads;
  Device m_hoveredDevice;
};

}  // namespace p2::views
