// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "exporters/program_story.h"

namespace p2 {

/// Most devices that a picture of a handout shows.
inline constexpr std::int64_t kMostDrawnDevices = 16;

/// The first devices of a story after `steps` steps as an SVG drawing: a grid each, a row per chunk, a column per
/// contributor. `blank` draws the empty grids, to be filled in.
[[nodiscard]] std::string statesSvg(const ProgramStory& story, int steps, bool blank);

}  // namespace p2
