// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/shown_page.h"

namespace p2::views {

Result<ShownPage> showPage(const LessonPage& page, std::stop_token stop) {
  P2_TRY_ASSIGN(auto prepared, preparePage(page, stop));
  ShownPage shown{std::move(prepared), nullptr, nullptr};
  if (shown.prepared.problem) {
    LiteralOptions options;
    options.ties = page.literal->ties;
    options.seed = page.literal->seed;
    P2_TRY_ASSIGN(shown.run, runLiterally(shown.prepared.problem, options, std::move(stop)));
    return shown;
  }
  P2_TRY_ASSIGN(shown.replay, replayOf(shown.prepared, shown.prepared.placement, shown.prepared.program, stop));
  return shown;
}

Result<std::shared_ptr<const Replay>> replayOf(const PreparedPage& prepared, std::size_t placement,
                                               const Program& program, std::stop_token stop) {
  return makeReplay(*prepared.exploration, placement, program, std::move(stop));
}

}  // namespace p2::views
