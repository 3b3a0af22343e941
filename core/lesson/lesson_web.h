// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>

#include "lesson/lesson.h"

namespace p2::inline lesson {

/// The lesson as one web page without other files or network: text, picture and task of every page, checked by its own
/// script, in light and dark, for mouse, finger and keyboard. At the end it shows the student's answerCode(). Right
/// answers and reasons stand in it encoded, so that reading the source gives nothing away at a glance; they are no
/// secret. A program to be written is looked up among the states that its steps can reach, at most kMostWebStates;
/// where the picture would need more than kMostWebDevices devices, the student chooses among programs. Errors:
/// cancelled; any of preparePage(), with the page's pointer. O(pages · states · steps).
[[nodiscard]] Result<std::string> lessonToPage(const Lesson& lesson, std::stop_token stop = {});

inline constexpr int kMostWebStates = 600;
inline constexpr std::int64_t kMostWebDevices = 64;

/// The lesson on paper: text, question and room for the answer of every page, with name and date; `key` is the copy for
/// the teacher, with answers, reasons and hints. Errors as above.
[[nodiscard]] Result<std::string> lessonToHandout(const Lesson& lesson, bool key, std::stop_token stop = {});

}  // namespace p2::inline lesson
