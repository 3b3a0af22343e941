// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the drawing: which networks stand in which row below the children.
#pragma once

#include <vector>

#include "views/system/inside_layout.h"

namespace p2::views {

/// Finds the rows of networks in the inside of the level above `level`, the nearest to the children first, and the room
/// for labels and taps of rails. Its level, torus and lanes must be known.
void layRows(const System& system, std::size_t level, InsideLayout& inside);

/// The networks through which the instances of a level talk to the outside.
[[nodiscard]] std::vector<int> gatewaysOf(const System& system, std::size_t level);

/// The width of a text in the drawing, well measured: drawings are made without a screen as well.
[[nodiscard]] double letters(const QString& text);

/// "NIC 3", or "NIC" where there is one of it.
[[nodiscard]] QString barText(const Network& network, std::int64_t instance);

}  // namespace p2::views
