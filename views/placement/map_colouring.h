// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "placement/device_split.h"
#include "placement/placement_diff.h"
#include "views/common/device_map.h"

namespace p2::views {

/// Meaning of the colours and letters on a device map: reduction groups, parts that a part of the matrix divides the
/// devices into, or changes of group against another placement.
class MapColouring {
 public:
  struct Look {
    int category = 0;   ///< category of the colour
    QString letter;     ///< "B"; "A→B" of a device whose group is another one, "A≠" if only its partners are
    bool back = false;  ///< steps back behind the others
    bool ring = false;  ///< stands out
  };

  MapColouring() = default;
  /// Reduction groups. The placement must outlive it, as below.
  explicit MapColouring(const Placement& placement) : m_placement(&placement) {}
  /// Parts, if there are several; groups if not.
  MapColouring(const Placement& placement, const MatrixPart& part);
  /// The changes against another placement of the same axes on the same system.
  MapColouring(const Placement& placement, std::shared_ptr<const Placement> other);

  [[nodiscard]] Look of(Device device) const;
  /// Whether two devices belong together: same group or part.
  [[nodiscard]] bool together(Device a, Device b) const;
  [[nodiscard]] bool showsParts() const { return m_split.has_value(); }
  [[nodiscard]] const std::optional<PlacementDiff>& diff() const { return m_diff; }

  /// The outline of one part, and where its letter stands next to it.
  struct Hull {
    std::int64_t part = 0;
    QPainterPath path;
    std::vector<QRectF> boxes;  ///< boxes of the map that are wholly in the part; none where it divides single devices
  };
  /// Outlines of all parts on the map; none if groups are shown or a cell contains several parts. O(instances · log
  /// instances).
  [[nodiscard]] std::vector<Hull> hulls(const DeviceMap& map) const;

 private:
  const Placement* m_placement = nullptr;
  std::optional<DeviceSplit> m_split;
  std::shared_ptr<const Placement> m_other;
  std::optional<PlacementDiff> m_diff;
};

}  // namespace p2::views
