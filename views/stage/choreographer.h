// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/stage/choreography.h"
#include "views/stage/replay.h"

namespace p2::views {

/// From so many flights on, each device sends one bundle and gets one.
inline constexpr std::size_t kMostFlights = 512;

/// The movement of one of the steps that are played, between the devices that are shown. A step that cannot run moves
/// until it fails. Once told to stop, its answer comes soon and is worth nothing. O(flights · route length).
[[nodiscard]] Choreography choreographed(const Replay& replay, StepId step, AllReduceStyle style,
                                         std::stop_token stop = {});

}  // namespace p2::views
