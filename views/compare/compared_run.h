// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "explore/comparison.h"
#include "views/compare/race.h"
#include "views/stage/replay.h"

namespace p2::views {

/// One side of a comparison: its replay and its bytes.
struct ComparedRun {
  std::shared_ptr<const Replay> replay;
  std::vector<PortBytes> ports;
};
/// Both sides.
struct ComparedRuns {
  ComparedRun a;
  ComparedRun b;
};

/// Counts the bytes that a run sends. Errors: cancelled.
[[nodiscard]] Result<ComparedRun> comparedRun(std::shared_ptr<const Replay> replay, std::stop_token stop);

/// The run as a side of a comparison, under this name.
[[nodiscard]] Contestant contestantOf(const ComparedRun& run, const std::string& name);
[[nodiscard]] Race::Runner runnerOf(const Replay& replay);

}  // namespace p2::views
