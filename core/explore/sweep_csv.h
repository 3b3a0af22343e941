// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "explore/sweep_map.h"

namespace p2::inline explore {

/// The points of a sweep as lines of comma-separated values (RFC 4180, lines end in "\n"), with a header: the value,
/// then the best program, its placement, its time and the parts of that, then the goal's one collective. Columns are
/// named in the first line.
[[nodiscard]] std::string sweepCsv(const Sweep& sweep);
/// A line for each cell of a map, placement by placement: the value, matrix, title and program, its seconds, its gain,
/// and 1 where no other placement is faster.
[[nodiscard]] std::string sweepMapCsv(const SweepMap& map);

}  // namespace p2::inline explore
