// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <vector>

#include "system/topology.h"

namespace p2::views {

/// The layout of a hierarchy as nested boxes, computed once and painted by anyone (screen, SVG, tests): a box per
/// instance of every level above the cells and a cell per device, in a rectangle of natural size starting at the
/// origin. Of very many devices a cell is an instance of a level above them, as a node.
struct DeviceMap {
  struct Box {
    int level = 0;              ///< index into the system's levels
    std::int64_t instance = 0;  ///< counted over the whole system
    QRectF rect;
    QString label;  ///< "node 2", to be written in the kTitleHeight strip at the top of rect
  };
  struct Cell {
    Device device;  ///< the first one in it
    QRectF rect;
  };
  std::vector<Box> boxes;           ///< outermost first
  std::vector<Cell> cells;          ///< cell i begins with device i · devicesPerCell
  std::int64_t devicesPerCell = 1;  ///< that follow each other
  std::size_t cellLevel = 0;        ///< level that a cell is an instance of
  QRectF bounds;
  bool complete = true;  ///< false when only the first devices are laid out

  static constexpr double kTitleHeight = 20;
  static constexpr double kBoxGap = 8;   ///< between boxes
  static constexpr double kCellGap = 4;  ///< between cells

  /// Whether a device is in a cell that is laid out.
  [[nodiscard]] bool shows(Device device) const {
    return !device.isNone() && device.value() / devicesPerCell < std::int64_t(cells.size());
  }
  /// The first device of the cell that holds the point, if any. O(cells).
  [[nodiscard]] Device deviceAt(QPointF point) const;
  /// The device one step away in a direction (a unit vector), or the same device at the edge; for arrow keys. O(cells).
  [[nodiscard]] Device neighbour(Device device, QPoint direction) const;
};

/// Lays out at most `mostDevices` devices in cells of `cell` size; instances of a level wrap to roughly `aspect`
/// (width / height). O(devices laid out).
[[nodiscard]] DeviceMap layoutDevices(const System& system, QSizeF cell, double aspect, std::int64_t mostDevices);

/// As above, but for more devices every cell is an instance of the innermost level that has at most
/// `mostCells`.
[[nodiscard]] DeviceMap layoutFolded(const System& system, QSizeF cell, double aspect, std::int64_t mostDevices,
                                     std::int64_t mostCells);

/// The size that layoutDevices() would give the map. O(devices of the largest level).
[[nodiscard]] QSizeF deviceMapSize(const System& system, QSizeF cell, double aspect, std::int64_t mostDevices);

/// "gpu 5 of node 1": an instance of a level, counted over the whole system, in words (as in
/// Topology::linkName). Levels with a single instance are not mentioned.
[[nodiscard]] QString instanceName(const System& system, int level, std::int64_t instance);

}  // namespace p2::views
