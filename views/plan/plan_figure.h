// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view_figure.h"
#include "views/plan/plan_words.h"

namespace p2::views {

class HeatModel;

/// The first rows of a plan as a figure: degrees and interval, and below them the bar of where the time goes, all on
/// one scale. `places` are places in the answer; at most 12 are drawn.
[[nodiscard]] ViewPicture planBarsPicture(std::shared_ptr<const PlannerAnswer> found, std::vector<int> places);

/// The map over two degrees as a figure. The model must outlive the picture.
[[nodiscard]] ViewPicture heatPicture(const HeatModel& model);

}  // namespace p2::views
