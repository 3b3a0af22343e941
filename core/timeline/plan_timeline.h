// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "plan/plan.h"
#include "timeline/timeline.h"

namespace p2::inline timeline {

/// Largest number of devices whose ranks get a track each.
inline constexpr std::int64_t kMostTimelineDevices = std::int64_t{1} << 13;
/// Links whose loads become counters: the busiest ones.
inline constexpr std::size_t kMostLinkCounters = 64;

/// One run of a plan as its cost model predicts it: a track for every rank, one slice for every step that the rank
/// takes part in, with its group, the bytes that it holds before the step and the step's busiest link. Steps follow one
/// another, and all groups of a step take the time of the slowest. Counters are the loads of the busiest links in GB/s.
/// Errors: too many devices (TooLarge), a system that is not valid, cancelled. O(devices · steps + flows · routes).
[[nodiscard]] Result<Timeline> planTimeline(const Plan& plan, const std::stop_token& stop = {});

}  // namespace p2::inline timeline
