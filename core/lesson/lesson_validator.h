// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lesson/detail/lesson.h"

namespace p2::inline lesson {

/// Something that keeps a lesson from being taken.
struct LessonProblem {
  std::string where;    ///< a JSON pointer: "/pages/2/task/hints"
  std::string problem;  ///< one sentence: the error and the remedy
  friend bool operator==(const LessonProblem&, const LessonProblem&) = default;
};

/// Whether a lesson can be taken to its end: texts and hints are there, programs run, or fail where the lesson says,
/// placeholders stand for something, no number is written that could be computed, every task accepts its own answer and
/// does not accept every other. In the order of the pages; several of a page. Errors: cancelled.
[[nodiscard]] Result<std::vector<LessonProblem>> problemsOf(const Lesson& lesson, std::stop_token stop = {});

/// The same of a file's text: one problem alone if it is no lesson at all.
[[nodiscard]] Result<std::vector<LessonProblem>> lessonProblems(std::string_view text, std::stop_token stop = {});

}  // namespace p2::inline lesson
