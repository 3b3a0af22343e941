// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "lesson/lesson_validator.h"

namespace p2::views {

/// A lesson that can be taken.
struct ShelvedLesson {
  QString key;  ///< by which its progress is known: the name of a bundled one, the path of a file
  QString title;
  std::shared_ptr<const Lesson> lesson;
};
using LessonShelf = std::vector<ShelvedLesson>;

/// A file and what came of it.
struct ReadLesson {
  ShelvedLesson shelved;                ///< without a lesson if there are problems
  std::vector<LessonProblem> problems;  ///< why it cannot be taken
};

/// The bundled lessons in order. Errors: cancelled.
[[nodiscard]] Result<LessonShelf> bundledShelf(std::stop_token stop);
/// A file, checked to its end. Errors: it cannot be read; cancelled.
[[nodiscard]] Result<ReadLesson> readLessonFile(const QString& path, std::stop_token stop);

}  // namespace p2::views
