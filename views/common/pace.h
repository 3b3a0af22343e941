// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace p2::views {

/// The relation between the time of a step on screen and its cost.
enum class PaceScale {
  Log,   ///< the cheapest takes kLeastPace, one of ten times its cost kPacePerDecade more, kMostPace at most
  True,  ///< in proportion, kTruePace each on average
};
inline constexpr double kLeastPace = 1.4;
inline constexpr double kPacePerDecade = 1.2;
inline constexpr double kMostPace = 5;
inline constexpr double kTruePace = 3;

/// Seconds on screen of steps that cost these seconds. A step without cost lasts Timeline::kStepSeconds.
[[nodiscard]] std::vector<double> paceOfCosts(const std::vector<double>& seconds, PaceScale scale = PaceScale::Log);

}  // namespace p2::views
