// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "exporters/detail/program_story.h"

namespace p2::inline exporters {

/// Side of a bit on paper, in millimetres: large enough to be filled in by hand. Grids that would be wider than their
/// room get smaller bits.
inline constexpr double kBitMillimetres = 4;

/// Room for the grids of a row of a handout.
enum class Sheet {
  Whole,  ///< next to the rule: 150 mm, at most two lines of grids
  Half,   ///< a column for each of two programs: 120 mm, at most three lines of grids
};

/// The number of devices that a row of a handout has room for.
[[nodiscard]] std::int64_t drawnDevices(const ProgramStory& story, Sheet sheet);

/// The first drawnDevices() of a story after `steps` steps as an SVG drawing in millimetres: a grid each, a row per
/// chunk, a column per contributor. `blank` draws empty grids, to be filled in.
[[nodiscard]] std::string statesSvg(const ProgramStory& story, int steps, bool blank, Sheet sheet);

}  // namespace p2::inline exporters
