// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace p2::inline workload {

/// Time from `begin` to before `end`, in any one unit.
struct TimeSpan {
  double begin = 0;
  double end = 0;
};

/// The union as spans that follow each other without touching. O(n log n).
[[nodiscard]] std::vector<TimeSpan> unionOf(std::vector<TimeSpan> spans);
/// Total time of spans from unionOf().
[[nodiscard]] double lengthOf(const std::vector<TimeSpan>& spans);
/// Seconds of `span` within spans that unionOf() gave. O(log n + spans that it meets).
[[nodiscard]] double lengthWithin(const TimeSpan& span, const std::vector<TimeSpan>& spans);

}  // namespace p2::inline workload
