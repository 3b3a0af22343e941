// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/canvas.h"
#include "views/system/hierarchy_drawing.h"

namespace p2::views {

/// The hierarchy with its networks, to walk around in. What is under the mouse stands out and is named.
class HierarchyView : public Canvas {
  Q_OBJECT
 public:
  explicit HierarchyView(QWidget* parent = nullptr);
  void setSystem(const System& system);
  /// Marks a device that is under the mouse somewhere; −1 for none.
  void setHoveredDevice(Device device);
  [[nodiscard]] const HierarchyDrawing& drawing() const { return m_drawing; }

 signals:
  void deviceHovered(p2::Device device);
  /// What is under the mouse, in one sentence; empty for nothing.
  void shapeHovered(const QString& name);

 protected:
  [[nodiscard]] QRectF drawingBounds() const override { return m_drawing.bounds; }
  void paintDrawing(QPainter& painter, const QRectF& visible) override;
  void hovered(std::optional<QPointF> point) override;
  bool event(QEvent* event) override;

 private:
  void paintShape(QPainter& painter, const HierarchyDrawing::Shape& shape, bool lit) const;
  [[nodiscard]] const HierarchyDrawing::Shape* shapeAt(QPointF point) const;

  System m_system;
  HierarchyDrawing m_drawing;
  const HierarchyDrawing::Shape* m_lit = nullptr;  // into m_drawing
  Device m_hoveredDevice = -1;
};

}  // namespace p2::views
