// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "placement/placement.h"

namespace p2::inline placement {

/// The change of reduction groups when devices are placed by another matrix of the same
/// axes on the same system. Partners of a device are the devices of its reduction group,
/// itself included; their coordinates do not matter. A group is a product over levels,
/// because digits of different levels are independent. A device therefore keeps its
/// partners exactly if it does so on every level, and no function here visits the
/// devices.
class PlacementDiff {
 public:
  /// O(axes · Σ counts of the levels).
  PlacementDiff(const Placement& before, const Placement& after);

  [[nodiscard]] std::int64_t deviceCount() const { return m_deviceCount; }
  /// Devices that reduce with other partners.
  [[nodiscard]] std::int64_t changedCount() const { return m_deviceCount - m_keptCount; }
  /// Whether the device reduces with other partners. O(levels).
  [[nodiscard]] bool changes(Device device) const;

  /// A level on which a group has another number of instances than before.
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

}  // namespace p2::inline placement
