// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "exporters/detail/program_story.h"

namespace p2::inline exporters {

/// Side of a bit on paper, in millimetres: large enough to be filled in by hand.
inline constexpr double kBitMillimetres = 4;
/// Largest reduction group whose bits have that side on a page; larger groups get smaller bits.
inline constexpr int kMostHandBits = 32;

/// The number of devices that a row of a handout has room for: their grids are side by side, at most two lines of them.
[[nodiscard]] std::int64_t drawnDevices(const ProgramStory& story);

/// The first drawnDevices() of a story after `steps` steps as an SVG drawing in millimetres: a grid each, a row per
/// chunk, a column per contributor. `blank` draws empty grids, to be filled in.
[[nodiscard]] std::string statesSvg(const ProgramStory& story, int steps, bool blank);

}  // namespace p2::inline exporters
