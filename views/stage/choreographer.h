// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/stage/choreography.h"
#include "views/stage/replay.h"

namespace p2::views {

/// From so many flights on, each device sends one bundle and gets one.
inline constexpr std::size_t kMostFlights = 2048;

/// The movement of one of the steps that are played, between the devices that are shown. A step that cannot run moves
/// until it fails. O(flights · route length).
[[nodiscard]] Choreography choreographed(const Replay& replay, StepId step, AllReduceStyle style);

}  // namespace p2::views
