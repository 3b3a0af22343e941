// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "placement/placement.h"

namespace p2::inline placement {

/// A selected part of a parallelism matrix: a factor if it has both fields, a row if it has only an axis, a column if
/// it has only a level; otherwise nothing.
struct MatrixPart {
  std::optional<std::size_t> axis;
  std::optional<std::size_t> level;
  [[nodiscard]] bool isFactor() const { return axis && level; }
  [[nodiscard]] bool empty() const { return !axis && !level; }
  friend bool operator==(const MatrixPart&, const MatrixPart&) = default;
};

/// The devices of a placement, divided by a part of its matrix into parts of equal size. A factor divides them by their
/// digit on its axis and level, a row by their coordinate on its axis, a column by their instance of its level, counted
/// within the instance above. An empty part does not divide them.
class DeviceSplit {
 public:
  DeviceSplit() = default;
  /// The axis and the level must be of the placement. O(axes · levels).
  DeviceSplit(const Placement& placement, const MatrixPart& part);

  /// The factor, the size of the axis or the count of the level.
  [[nodiscard]] std::int64_t parts() const { return m_parts; }
  /// 0 … parts() − 1. O(levels).
  [[nodiscard]] std::int64_t partOf(Device device) const;
  /// The outermost level whose instances are each within one part; none if all devices are one part.
  [[nodiscard]] std::optional<std::size_t> wholeLevel() const { return m_wholeLevel; }

 private:
  std::vector<Digit> m_digits;  // most significant first
  std::int64_t m_parts = 1;
  std::optional<std::size_t> m_wholeLevel;
};

/// Number of instances of a level that some devices touch, which differ only in their coordinates on some axes: the
/// product of those axes' factors down to the level. `axes` are the rows that count. O(rows · levels).
[[nodiscard]] std::int64_t instancesTouched(const ParallelismMatrix& matrix, const std::vector<bool>& axes,
                                            std::size_t level);

}  // namespace p2::inline placement
