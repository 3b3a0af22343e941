// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/lesson: the parts of a lesson's web page as data for its script.
#pragma once

#include <functional>

#include "cost/flows/motion_json.h"
#include "lesson/lesson_page.h"
#include "text/json_document.h"

namespace p2::inline lesson {

/// The picture: {"kind": "program", …}, {"kind": "timeline", …} or {"kind": "none"}.
[[nodiscard]] Json webScene(const PreparedPage& prepared);
/// The task as it is asked, and as `key` how it is checked.
struct WebTask {
  Json asked;
  Json key;
};
[[nodiscard]] Result<WebTask> webTask(const PreparedPage& prepared, std::stop_token stop);

/// A choice as students read it: a program in words, one instruction after the other, instead of its text.
[[nodiscard]] std::string titleOfCandidate(const PreparedPage& prepared, const LessonCandidate& candidate);

/// Whether the devices of a page's program are drawn one by one.
[[nodiscard]] bool isDrawn(const PreparedPage& prepared);
/// The object whose members `write` writes: motions are written as for the page of a program.
[[nodiscard]] Json writtenJson(const std::function<void(JsonWriter&)>& write);
/// {"seconds", "groups", …}: a valid step, its price and its messages, as writeMotion() has them.
[[nodiscard]] Json movingStep(const PreparedPage& prepared, const ProgramTrace& trace, StepId step,
                              const Instruction& instruction, RowTable& table);
/// The devices of each group.
[[nodiscard]] Json groupsJson(const std::vector<DeviceGroup>& groups);
/// The holdings of all devices after some steps, each by RowTable::runsOf().
[[nodiscard]] Json statesJson(const PreparedPage& prepared, const ProgramTrace& trace, int steps, RowTable& table);
/// States that steps of the page's goal can reach, and the steps between them. Errors: cancelled.
struct ReachableStates {
  Json asked;  ///< the steps, in words and in the language of programs
  Json key;    ///< states and transitions
};
[[nodiscard]] Result<ReachableStates> reachableStates(const PreparedPage& prepared, const ComposeTask& task,
                                                      std::stop_token stop);

/// The page's script and the palette, compiled in.
[[nodiscard]] std::string_view lessonPage();
[[nodiscard]] std::string_view lessonPalette();

}  // namespace p2::inline lesson
