// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/stage/choreography.h"
#include "views/stage/replay.h"

namespace p2::views {

/// The movement of one of the steps that are played, between the devices that are shown: what its price counts, by the
/// algorithm that the price took. From about kMostShownMessages flights on, rounds of a ring are drawn several as one
/// after its first block, and each device of an AllToAll sends one bundle and gets one after the first receiver. A step
/// that cannot run moves until it fails. Once told to stop, its answer comes soon and is meaningless. O(flights · route
/// length).
[[nodiscard]] Choreography choreographed(const Replay& replay, StepId step, std::stop_token stop = {});

}  // namespace p2::views
