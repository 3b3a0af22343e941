// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "explore/explore.h"

namespace p2::views {

/// The place of a placement in an exploration; −1 if it is not there. O(placements).
[[nodiscard]] int placementRow(const Exploration& exploration, const ParallelismMatrix& matrix);
/// The place of a program, written as text, in a placement's list; −1 if it is not there. O(programs).
[[nodiscard]] int programRow(const PlacementResult& placement, const std::string& text);
/// Whether the placement has the levels that the program's steps name.
[[nodiscard]] bool canRunOn(const PlacementResult& placement, const Program& program);

}  // namespace p2::views
