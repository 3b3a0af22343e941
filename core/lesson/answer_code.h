// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/lesson.h"

namespace p2::inline lesson {

/// How a student fared on a page of a lesson.
struct PageOutcome {
  bool solved = false;
  bool hinted = false;  ///< a hint was shown
  int tries = 0;        ///< checks, at most kMostTries of them counted
  friend bool operator==(const PageOutcome&, const PageOutcome&) = default;
};
inline constexpr int kMostTries = 7;

/// A number for the content of a lesson, 20 bits: titles, texts and tasks, not their order of keys in a file.
[[nodiscard]] std::uint32_t fingerprintOf(const Lesson& lesson);

/// "P2-7K2M-5D1-Q3ZT": the lesson, one character for each page, and a check that also covers the student's name, so
/// that a code belongs to one name. Upper and lower case, blanks around and within the name make no difference. The
/// exported page has the same function in its script.
[[nodiscard]] std::string answerCode(std::uint32_t fingerprint, std::string_view name,
                                     const std::vector<PageOutcome>& pages);

/// A line of a list of codes: "Ada Lovelace: P2-…", with colon, comma, semicolon, tab or blank in between.
struct CodeLine {
  int line = 0;        ///< counted from 1
  std::string name;    ///< as it is written
  std::string lesson;  ///< its title; empty if the code is of none of the given lessons
  std::vector<PageOutcome> pages;
  std::string problem;  ///< why the code does not count; empty if it does
  [[nodiscard]] int solved() const;
  /// Page by page, "1" for solved at the first try, "2+" at the second and with a hint, "–" for not solved.
  [[nodiscard]] std::string triesText() const;
};
/// Reads the codes of a class. Lines without a code are left out where they are empty or begin with "#", else they have
/// a problem. Errors: a text in which no line has a code.
[[nodiscard]] Result<std::vector<CodeLine>> readCodes(std::string_view text, const std::vector<Lesson>& lessons);

}  // namespace p2::inline lesson
