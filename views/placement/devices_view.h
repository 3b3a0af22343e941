// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "placement/placement.h"
#include "views/common/canvas.h"
#include "views/common/device_map.h"

namespace p2::views {

/// The devices of a placement as nested boxes, each with its n/m marker and in the colour of its reduction group. The
/// group of the device under the mouse (or under the arrow keys) stands out.
class DevicesView : public Canvas {
  Q_OBJECT
 public:
  static constexpr std::int64_t kMostDevicesDrawn = 4096;

  explicit DevicesView(QWidget* parent = nullptr);
  /// Shows a placement of a system.
  void showPlacement(const System& system, const std::vector<Axis>& axes, const ParallelismMatrix& matrix);
  void clear();
  /// Lights up the group of a device; of none for none.
  void setHoveredDevice(Device device);
  /// Greys the drawing: it answers a question that was changed since.
  void setStale(bool stale);

  [[nodiscard]] const DeviceMap& map() const { return m_map; }
  /// The marker written in a device's cell.
  [[nodiscard]] QString marker(Device device) const;
  /// What the tooltip says of a device.
  [[nodiscard]] QString sentence(Device device) const;
  /// The line that explains markers and colours; empty when nothing is shown.
  [[nodiscard]] QString legend() const;

 signals:
  void deviceHovered(p2::Device device);

 protected:
  [[nodiscard]] QRectF drawingBounds() const override { return m_map.bounds; }
  void paintDrawing(QPainter& painter, const QRectF& visible) override;
  void hovered(std::optional<QPointF> point) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void paintBoxes(QPainter& painter, const QRectF& visible) const;
  void paintCell(QPainter& painter, const DeviceMap::Cell& cell) const;

  System m_system;
  std::unique_ptr<const Placement> m_placement;
  DeviceMap m_map;
  std::vector<std::int64_t> m_groups;  // of every cell
  Device m_hovered;
  bool m_stale = false;
};

}  // namespace p2::views
