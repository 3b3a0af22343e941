// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace p2::views {

// Common parts of the graph drawings of both algorithms.
inline constexpr int kTextPixels = 12;
inline constexpr double kLeastTextHeight = 6;  ///< on the screen; below it text is noise

}  // namespace p2::views
