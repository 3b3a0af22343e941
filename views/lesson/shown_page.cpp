// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/shown_page.h"

#include <algorithm>

namespace p2::views {

Result<ShownPage> showPage(const LessonPage& page, std::stop_token stop) {
  P2_TRY_ASSIGN(auto prepared, preparePage(page, stop));
  ShownPage shown{std::move(prepared), nullptr, nullptr, nullptr};
  if (shown.prepared.problem) {
    LiteralOptions options;
    options.ties = page.literal->ties;
    options.seed = page.literal->seed;
    P2_TRY_ASSIGN(shown.run, runLiterally(shown.prepared.problem, options, std::move(stop)));
    return shown;
  }
  if (!shown.prepared.exploration) return shown;
  const PreparedPage& ready = shown.prepared;
  P2_TRY_ASSIGN(shown.replay, replayOf(ready, ready.placement, ready.program, stop));
  Program begun = ready.program;
  begun.resize(std::min(begun.size(), std::size_t(ready.stepsBeforeAnswer())));
  P2_TRY_ASSIGN(shown.before, replayOf(ready, ready.placement, begun, stop));
  return shown;
}

Result<std::shared_ptr<const Replay>> replayOf(const PreparedPage& prepared, std::size_t placement,
                                               const Program& program, std::stop_token stop) {
  return makeReplay(*prepared.exploration, placement, program, std::move(stop));
}

}  // namespace p2::views
