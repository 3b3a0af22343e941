// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPointF>
#include <map>
#include <span>
#include <vector>

#include "system/place.h"
#include "views/common/device_map.h"

namespace p2::views {

/// Positions of a system's places on a map: devices at the tops of their cells, everything else in the strip at the
/// top of the box it belongs to.
class StagePlaces {
 public:
  StagePlaces() = default;
  /// The system and the map must outlive it.
  StagePlaces(const System& system, const DeviceMap& map);

  /// A place that is not on the map, as of a device that is left out, is in the middle of it.
  [[nodiscard]] QPointF pointOf(const Place& place) const;
  /// The line through places that follow each other on a route: out of a cell or box at its top, in the gaps between
  /// cells and boxes, and along the line of what joins them.
  [[nodiscard]] std::vector<QPointF> wayThrough(std::span<const Place> places) const;
  /// In the middle of the line of what joins things.
  [[nodiscard]] QPointF joinOf(const Place& place) const;
  /// Width of the strip in which a switch, bus or network is drawn; 0 for other places.
  [[nodiscard]] double widthAt(const Place& place) const;
  [[nodiscard]] bool shows(const Place& place) const;
  /// The strip of what joins the instances of a level within one of the level above.
  [[nodiscard]] QRectF stripOf(std::size_t level, std::int64_t parent) const;

 private:
  [[nodiscard]] QRectF rectOf(const Place& place) const;
  /// Between it and its neighbours.
  [[nodiscard]] double gapOf(const Place& item) const;
  [[nodiscard]] QRectF stripOf(const Place& place) const;
  [[nodiscard]] double lineOf(const Place& place) const;
  [[nodiscard]] std::vector<QPointF> wayUp(const Place& item, const Place& joins) const;
  [[nodiscard]] std::vector<QPointF> wayAcross(const Place& from, const Place& to) const;
  [[nodiscard]] const DeviceMap::Box* boxOf(std::size_t level, std::int64_t instance) const;

  const System* m_system = nullptr;
  const DeviceMap* m_map = nullptr;
  std::map<std::pair<std::size_t, std::int64_t>, std::size_t> m_boxes;
};

/// The point at a share of the length of a line through some points, which are at least one.
[[nodiscard]] QPointF pointAlong(std::span<const QPointF> points, double share);

}  // namespace p2::views
