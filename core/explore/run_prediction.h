// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explore/explore.h"

namespace p2::inline explore {

/// Prediction for one run of a workspace's chosen program on vectors of this many bytes. In one piece its steps follow
/// each other; otherwise `overlapped` is set, for that many pieces, or by default for the fewest of 1, 2, 4 …
/// kMostChunks within 5 % of the best: no price includes the CPU time of further pieces. Errors: no such program, a
/// step that cannot run, an invalid system; cancelled.
[[nodiscard]] Result<ProgramResult> predictRun(Workspace workspace, Bytes bytes, std::optional<int> pieces,
                                               const std::stop_token& stop = {});

}  // namespace p2::inline explore
