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
  /// Place of a network's handle; none for other shapes.
  [[nodiscard]] std::optional<QPointF> handle() const;
  void setLit(bool lit) { change(&ShapeLook::lit, lit); }
  /// Draws it as a link of the selection.
  void setMarked(bool marked) { change(&ShapeLook::marked, marked); }
  /// Dims the item, as a rail that is not under the mouse.
  void setDimmed(bool dimmed) { change(&ShapeLook::dimmed, dimmed); }
  void setLoad(const ShownLoad* load);
  [[nodiscard]] const ShapeLook& look() const { return m_look; }

  [[nodiscard]] QRectF boundingRect() const override;
  [[nodiscard]] QPainterPath shape() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

 protected:
  void mousePressEvent(QGraphicsSceneMouseEvent* event) override;

 private:
  void change(bool ShapeLook::*flag, bool on);

  const SystemDrawing::Shape& m_shape;
  ShapeLook m_look;
};

/// The drawing of a system as items that can be selected. Selections are parts of the system and outlive its edits.
class SystemScene : public QGraphicsScene {
  Q_OBJECT
 public:
  explicit SystemScene(QObject* parent = nullptr);
  ~SystemScene() override;

  void setSystem(const System& system);
  [[nodiscard]] const System& system() const { return m_system; }
  [[nodiscard]] const SystemDrawing& drawing() const { return m_drawing; }
  /// Draws all legible parts in a view of that size; the content changes only when a part has to fold.
  void setRoom(QSizeF room);
  [[nodiscard]] const DrawingDetail& detail() const { return m_detail; }
  /// The present labels of the wires.
  [[nodiscard]] const std::vector<WireLabel>& labels() const { return m_labels; }
  /// Shows another instance of a level, where not all are drawn.
  void open(int level, std::int64_t instance);
  /// The unfolded instance of each level, as for drawSystem().
  [[nodiscard]] const std::vector<std::int64_t>& opened() const { return m_open; }
  /// Shows the instances of a level that come next (1) or before (−1) where not all are drawn.
  void turn(int level, int pages);

  /// The topmost shape at a point; null for none.
  [[nodiscard]] ShapeItem* shapeAt(QPointF point) const;
  /// The first item that stands for a part; null when it is not drawn.
  [[nodiscard]] ShapeItem* itemOf(const SystemPart& part) const;
  /// The line that stands for a link of that name; null when none does.
  [[nodiscard]] ShapeItem* itemOfLink(const QString& name) const;
  [[nodiscard]] std::vector<SystemPart> selectedParts() const;
  /// Selects these parts, or the first drawn instance of those that name none.
  void select(const std::vector<SystemPart>& parts);

  void setHoveredDevice(Device device);
  /// Dims the rails next to the one that the shape is, or leads to; none for null and everything else.
  void pointAt(const SystemDrawing::Shape* shape);
  /// Colours and widens the links by their loads; an empty map takes the loads away.
  void setLoads(ShownLoads loads);
  [[nodiscard]] const ShownLoads& loads() const { return m_loads; }
  /// All loads, the busiest first, drawn or not.
  [[nodiscard]] std::vector<std::pair<QString, ShownLoad>> busiestLinks() const;

 signals:
  void redrawn();

 private:
  void redraw();
  void markLinks();

  System m_system;
  QSizeF m_room;
  DrawingDetail m_detail;
  std::vector<WireLabel> m_labels;
  SystemDrawing m_drawing;
  std::vector<std::int64_t> m_open;
  std::vector<ShapeItem*> m_items;
  ShownLoads m_loads;
  Device m_hoveredDevice;
};

}  // namespace p2::views
