// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explore/explore.h"

namespace p2 {

/// What one run of a workspace's chosen program is predicted to take on vectors of so many bytes. In one piece its
/// steps follow each other; otherwise `overlapped` is set, for that many pieces, or where none are given for the fewest
/// of 1, 2, 4 … kMostChunks that take at most 5 % longer than the best: what each further piece costs the processors is
/// in no price. Errors: no such program, a step that cannot run, a system that is wrong; cancelled.
[[nodiscard]] Result<ProgramResult> predictRun(Workspace workspace, Bytes bytes, std::optional<int> pieces,
                                               const std::stop_token& stop = {});

}  // namespace p2
