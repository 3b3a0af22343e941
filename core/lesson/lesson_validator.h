// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lesson/lesson.h"

namespace p2::inline lesson {

/// Whether a lesson can be taken to its end: texts and hints are there, programs run, or fail where the lesson says,
/// placeholders stand for something, no number is written that could be computed, every task accepts its own answer and
/// does not accept every other. In the order of the pages; several of a page. Errors: cancelled.
[[nodiscard]] Result<std::vector<LessonProblem>> problemsOf(const Lesson& lesson, std::stop_token stop = {});

/// As above for a file's text, with the problems of readLesson(): one alone if it is no lesson at all. A page with a
/// problem of its own form is not prepared.
[[nodiscard]] Result<std::vector<LessonProblem>> lessonProblems(std::string_view text, std::stop_token stop = {});

}  // namespace p2::inline lesson
