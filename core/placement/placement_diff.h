// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "placement/placement.h"

namespace p2 {

/// What changes for the reduction if devices are placed by another matrix of the same axes on the same system. Partners
/// of a device are the devices of its reduction group, itself included; which of them has which coordinates does not
/// matter.
///
/// A group is a product of what it is on every level, for digits of different levels are independent. So a device keeps
/// its partners exactly if it does so level by level, and nothing here walks the devices.
class PlacementDiff {
 public:
  /// O(axes · Σ counts of the levels).
  PlacementDiff(const Placement& before, const Placement& after);

  [[nodiscard]] std::int64_t deviceCount() const { return m_deviceCount; }
  /// Devices that reduce with other partners.
  [[nodiscard]] std::int64_t changedCount() const { return m_deviceCount - m_keptCount; }
  /// Whether the device reduces with other partners. O(levels).
  [[nodiscard]] bool changes(Device device) const;

  /// A level of which one group touches another number of instances than before.
  struct Span {
    std::size_t level = 0;
    std::int64_t before = 1;
    std::int64_t after = 1;
    friend bool operator==(const Span&, const Span&) = default;
  };
  /// Outermost first; never of the innermost level, where a group touches as many instances as it has devices.
  [[nodiscard]] const std::vector<Span>& spans() const { return m_spans; }

 private:
  struct LevelDiff {
    std::int64_t stride = 1;
    std::vector<bool> kept;  // by the instance of the level
  };
  std::vector<LevelDiff> m_levels;
  std::vector<Span> m_spans;
  std::int64_t m_deviceCount = 1;
  std::int64_t m_keptCount = 1;
};

}  // namespace p2
