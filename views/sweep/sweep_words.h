// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "explore/sweep_map.h"

namespace p2::views {

/// "RS·AR·AG"; with the groups, "RS·node → AR·node∥root → AG·node", where another program that is best somewhere has
/// the same title.
[[nodiscard]] QString nameOfChoice(const Sweep& sweep, const SweepChoice& choice);
/// The finding of a sweep, in a sentence: where which program wins, how much that gains at most, and whether the
/// intervals leave that open. Over nodes a second one says which axis grows.
[[nodiscard]] QString findingOf(const Sweep& sweep);
/// The finding of a map: on how many placements and values which program wins, and which placement.
[[nodiscard]] QString findingOf(const SweepMap& map);
/// "3.20 MB · 12.3 ms, 1.84× over AllReduce · [[1,8],[2,1]] ReduceScatter·gpu → … · steps: 1.20 ms (ring, LL) + …":
/// the best at a point, and the single AllReduce next to it.
[[nodiscard]] QString pointText(const Sweep& sweep, std::size_t point);
/// The text of a cell.
[[nodiscard]] QString cellText(const SweepMap& map, std::size_t row, std::size_t column);

}  // namespace p2::views
