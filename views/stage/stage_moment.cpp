// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_moment.h"

#include <algorithm>

namespace p2::views {

StageMoment StageMoment::of(const Replay& replay, int steps, double progress, bool before) {
  const bool rests = progress <= 0 || steps >= replay.playedSteps();
  const int step = std::min(rests ? steps - 1 : steps, replay.playedSteps() - 1);
  if (step < 0) return {};
  StageMoment moment;
  moment.step = StepId(step);
  moment.before = std::min(step, replay.validSteps());
  moment.after = std::min(step + 1, replay.validSteps());
  moment.progress = rests ? (before ? 0 : 1) : progress;
  moment.fails = step >= replay.validSteps();
  return moment;
}

}  // namespace p2::views
