// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/stage/replay.h"

namespace p2::views {

/// The visible state at a place of a replay: a step in the middle of its motion or, at rest, the one that is done.
struct StageMoment {
  StepId step;          ///< none before the first
  int before = 0;       ///< steps done before it
  int after = 0;        ///< steps done when it is over; `before` if it cannot run
  double progress = 1;  ///< share of the step's time, 0 … 1; 1 at rest
  bool fails = false;   ///< the step cannot run

  /// At `steps` steps done and `progress` of the next one. `before` shows, at rest, the holdings before the step.
  static StageMoment of(const Replay& replay, int steps, double progress, bool before = false);
};

}  // namespace p2::views
