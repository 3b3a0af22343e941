// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/lesson.
#pragma once

#include <initializer_list>

#include "lesson/lesson.h"
#include "text/json_value.h"

namespace p2::inline lesson {

/// Collects the problems of a document whose parts are read one by one.
class LessonProblems {
 public:
  LessonProblems(std::vector<LessonProblem>& list, std::string pointer)
      : m_list(&list), m_pointer(std::move(pointer)) {}

  /// The problems of a value further in.
  [[nodiscard]] LessonProblems below(const std::string& pointer) const { return {*m_list, m_pointer + pointer}; }
  /// Adds a problem, unless it is there already; the place is the whole document's.
  void add(const std::string& where, const std::string& problem);
  /// Every key of an object that is not among `known`.
  void otherKeys(const Json& json, const std::vector<std::string_view>& known);
  /// Reads a part of `json`, which stands at this place; the first problem of the part is added.
  template <class Read>
  void read(const Json& json, const Read& how) {
    std::optional<Error> problem;
    how(JsonValue(json, problem));
    if (problem) add(m_pointer + problem->where.position, problem->message);
  }

 private:
  std::vector<LessonProblem>* m_list;
  std::string m_pointer;
};

/// A problem with the first key that is not among `known`.
void refuseOtherKeys(const JsonValue& in, std::initializer_list<std::string_view> known);
/// A time with its unit.
[[nodiscard]] double readSeconds(const JsonValue& in);
/// The value of "task".
[[nodiscard]] LessonTask readTask(const Json& json, LessonProblems& problems);

}  // namespace p2::inline lesson
