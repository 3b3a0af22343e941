// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "lesson/lesson_check.h"
#include "views/literal/literal_run.h"
#include "views/stage/replay.h"

namespace p2::views {

/// A page of a lesson with its drawing: a replay, a run of the literal algorithm, or the timeline of
/// `prepared`.
struct ShownPage {
  PreparedPage prepared;
  std::shared_ptr<const Replay> replay;
  /// The steps that may be seen before the task is solved: a replay of no more would tell of the next one, too.
  std::shared_ptr<const Replay> before;
  std::shared_ptr<const LiteralRun> run;
};

/// Errors: as preparePage().
[[nodiscard]] Result<ShownPage> showPage(const LessonPage& page, std::stop_token stop);

/// Another program of the page's placement, or of another placement, run for the stage.
[[nodiscard]] Result<std::shared_ptr<const Replay>> replayOf(const PreparedPage& prepared, std::size_t placement,
                                                             const Program& program, std::stop_token stop);

}  // namespace p2::views
