// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/stage/choreography.h"
#include "views/stage/replay.h"

namespace p2::views {

/// From about this number of flights on, a ring's rounds are drawn several as one, and each device of a direct exchange
/// sends one bundle and gets one.
inline constexpr std::size_t kMostFlights = 2048;

/// The movement of one of the steps that are played, between the devices that are shown: what its price counts, by the
/// algorithm that the price took. A step that cannot run moves until it fails. Once told to stop, its answer comes soon
/// and is meaningless. O(flights · route length).
[[nodiscard]] Choreography choreographed(const Replay& replay, StepId step, std::stop_token stop = {});

}  // namespace p2::views
