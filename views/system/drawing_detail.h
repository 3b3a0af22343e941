// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSizeF>
#include <cstdint>
#include <vector>

#include "system/system.h"

namespace p2::views {

/// Instances of one parent that are drawn next to each other, at most.
inline constexpr std::int64_t kMostAbreast = 16;
/// A label of a drawing, in its units.
inline constexpr double kDrawnText = 12;
/// Labels smaller than this many pixels are folded away together with their objects.
inline constexpr double kLeastLabel = 9;

/// The drawn parts of a system: everything, as far as it stays a few hundred shapes, unless it says less.
struct DrawingDetail {
  std::size_t folded = 0;               ///< this many of the levels that hold others, from the outside in, are folded
  std::int64_t chips = kMostAbreast;    ///< most drawn instances of a folded level, the open one among them
  std::int64_t devices = kMostAbreast;  ///< most instances of the innermost level in one parent
  friend bool operator==(const DrawingDetail&, const DrawingDetail&) = default;
};

/// The drawn instances of a level of a system.
struct DrawnLevel {
  std::int64_t first = 0;  ///< first of the drawn instances in each instance of the level above
  std::int64_t drawn = 1;
  std::int64_t open = -1;  ///< the unfolded instance, the others folded; −1 when all are unfolded
};

/// The drawn instances. `open` says for each level which of its instances to show if not all fit.
[[nodiscard]] std::vector<DrawnLevel> drawnLevels(const System& system, const std::vector<std::int64_t>& open,
                                                  const DrawingDetail& detail = {});

/// The greatest detail that fits into that room with no label below kLeastLabel; the least there is if none fits.
/// O(levels).
[[nodiscard]] DrawingDetail fittingDetail(const System& system, const std::vector<std::int64_t>& open, QSizeF room);

}  // namespace p2::views
