// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace p2::views {

// What the drawings of both algorithms' graphs have in common.
inline constexpr int kTextPixels = 12;
inline constexpr double kLeastTextHeight = 6;  ///< on the screen; below it text is noise

}  // namespace p2::views
