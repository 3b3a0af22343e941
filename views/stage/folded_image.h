// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <optional>
#include <vector>

#include "collective/device_state.h"
#include "synthesis/folded_state.h"

namespace p2::views {

/// Pixels at which runs of these lengths begin and end, the last end included: in proportion, but
/// every run is seen. Empty if they are too many. O(runs²).
[[nodiscard]] std::optional<std::vector<int>> spreadRuns(const std::vector<std::int64_t>& lengths, int pixels);

/// A bit matrix too large to draw bit by bit: equal neighbouring rows are one row and equal neighbouring columns one
/// column, thin ones wider than they are. Null if even those are too many. O(bits).
[[nodiscard]] QImage foldedImage(const DeviceState& state, QSize size);
/// Image of a large group's device. O(runs² + size in pixels).
[[nodiscard]] QImage foldedImage(const FoldedState& state, QSize size);

}  // namespace p2::views
