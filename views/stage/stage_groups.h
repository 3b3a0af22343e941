// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <vector>

#include "views/common/device_map.h"
#include "views/stage/replay.h"

namespace p2::views {

/// The groups in which the devices of a map take part in a step, numbered by their first devices.
class StageGroups {
 public:
  struct Membership {
    int group = -1;       ///< −1 outside any
    bool root = false;    ///< root device of a collective that has one
    bool failed = false;  ///< the group in which the step cannot run
  };

  StageGroups() = default;
  /// Groups of a step, if the program has it and it was checked. O(devices of the map).
  StageGroups(const Replay& replay, StepId step, std::size_t devices);
  /// Those given; devices that are not on the map are left out.
  StageGroups(const std::vector<DeviceGroup>& groups, std::size_t devices);

  [[nodiscard]] const Membership& of(Device device) const;
  /// Whether any device takes part.
  [[nodiscard]] bool any() const { return !m_groups.empty(); }
  [[nodiscard]] const std::vector<DeviceGroup>& groups() const { return m_groups; }

 private:
  std::vector<Membership> m_members;  // by device
  std::vector<DeviceGroup> m_groups;
};

/// The outline of a group: of one piece if no other device is between, else round each of its devices. O(devices of
/// the map).
[[nodiscard]] QPainterPath hullOf(const DeviceGroup& group, const DeviceMap& map, double margin);
/// The pen of a group's outline: dashed in its own way. `width` in units of the painter.
[[nodiscard]] QPen groupPen(int group, const QColor& color, double width);

}  // namespace p2::views
