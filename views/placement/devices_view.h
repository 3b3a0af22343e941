// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "placement/placement.h"
#include "views/common/accessible_items.h"
#include "views/common/canvas.h"
#include "views/common/device_map.h"
#include "views/placement/map_colouring.h"

namespace p2::views {

/// The devices of a placement as nested boxes, each with its name and n/m marker, coloured by reduction group, by part
/// of the matrix, or by change of group against another placement. Devices related to the one under the mouse (or
/// cursor) are highlighted. With too many devices a cell is a node, or whichever level holds the devices, with one
/// stripe per device.
class DevicesView : public Canvas, public AccessibleItems {
  Q_OBJECT
 public:
  static constexpr std::int64_t kMostDevicesDrawn = 4096;
  static constexpr std::int64_t kMostCellsDrawn = 16384;

  explicit DevicesView(QWidget* parent = nullptr);
  /// Shows a placement of a system.
  void showPlacement(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix);
  void clear();
  /// Lights up the group of a device; of none for none.
  void setHoveredDevice(Device device);
  /// Divides the devices by a part of the matrix; by their groups again for none.
  void setPart(const MatrixPart& part);
  /// Shows what changes against another matrix of the same axes; an empty one for nothing.
  void compareWith(const ParallelismMatrix& other);
  /// Greys the drawing: it answers a question that was changed since.
  void setStale(bool stale);

  [[nodiscard]] const DeviceMap& map() const { return m_map; }
  /// The shown placement; null if none.
  [[nodiscard]] const Placement* placement() const { return m_placement.get(); }
  /// The placement compared with; null if none.
  [[nodiscard]] const Placement* other() const { return m_other.get(); }
  [[nodiscard]] const MapColouring& colouring() const { return m_colouring; }
  /// The marker written in a device's cell.
  [[nodiscard]] QString marker(Device device) const;
  /// Tool tip of a device.
  [[nodiscard]] QString sentence(Device device) const;
  /// The map in its natural size without highlights, in the first layout of some that is at most `width` pixels wide;
  /// 0 for the layout on the screen.
  [[nodiscard]] QSize figureSize(int width) const;
  void paintFigure(QPainter& painter, int width) const;
  /// The line that explains markers and colours; empty when nothing is shown.
  [[nodiscard]] QString legend() const;

  [[nodiscard]] int itemCount() const override { return int(m_map.cells.size()); }
  [[nodiscard]] AccessibleItem itemAt(int index) const override;
  [[nodiscard]] int focusedItem() const override {
    return m_hovered.isNone() ? -1 : int(m_hovered.value() / m_map.devicesPerCell);
  }

 signals:
  void deviceHovered(p2::Device device);

 protected:
  [[nodiscard]] QRectF drawingBounds() const override { return m_map.bounds; }
  void paintDrawing(QPainter& painter, const QRectF& visible) override;
  void hovered(std::optional<QPointF> point) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void colour();
  /// Size of a device's cell, in which the longest name, marker and letter fit.
  [[nodiscard]] static QSizeF cellSize(const std::vector<Axis>& axes);
  [[nodiscard]] DeviceMap figureMap(int width) const;
  void paintMap(QPainter& painter, const QRectF& visible) const;
  [[nodiscard]] QString legendOfColours() const;
  [[nodiscard]] QString foldedLegend() const;
  void paintBoxes(QPainter& painter, const QRectF& visible) const;
  void paintCell(QPainter& painter, const DeviceMap::Cell& cell) const;
  void paintFolded(QPainter& painter, const DeviceMap::Cell& cell) const;
  void paintShortWords(QPainter& painter, const DeviceMap::Cell& cell, const MapColouring::Look& look) const;
  void paintWords(QPainter& painter, const DeviceMap::Cell& cell, const MapColouring::Look& look) const;
  void paintHull(QPainter& painter, const MapColouring::Hull& hull) const;

  System m_system;
  std::unique_ptr<const Placement> m_placement;
  std::shared_ptr<const Placement> m_other;
  MatrixPart m_part;
  DeviceMap m_map;
  MapColouring m_colouring;
  std::vector<MapColouring::Hull> m_hulls;
  Device m_hovered;
  bool m_stale = false;
};

}  // namespace p2::views
