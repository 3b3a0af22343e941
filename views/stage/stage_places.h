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

/// Where the places of a system lie on a map: devices at the tops of their cells, everything else in the strip at the
/// top of the box it belongs to.
class StagePlaces {
 public:
  StagePlaces() = default;
  /// The system and the map must outlive it.
  StagePlaces(const System& system, const DeviceMap& map);

  /// A place that is not on the map, as of a device that is left out, lies in the middle of it.
  [[nodiscard]] QPointF pointOf(const Place& place) const;
  /// Of the strip in which a switch, bus or network is drawn; 0 for other places.
  [[nodiscard]] double widthAt(const Place& place) const;
  [[nodiscard]] bool shows(const Place& place) const;
  /// The strip of what joins the instances of a level within one of the level above.
  [[nodiscard]] QRectF stripOf(std::size_t level, std::int64_t parent) const;

 private:
  [[nodiscard]] const DeviceMap::Box* boxOf(std::size_t level, std::int64_t instance) const;

  const System* m_system = nullptr;
  const DeviceMap* m_map = nullptr;
  std::map<std::pair<std::size_t, std::int64_t>, std::size_t> m_boxes;
};

/// The point at a share of the length of a line through some points, which are at least one.
[[nodiscard]] QPointF pointAlong(std::span<const QPointF> points, double share);

}  // namespace p2::views
