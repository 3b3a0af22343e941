// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/lesson_shelf.h"

#include "lesson/bundled_lessons.h"
#include "text/text_file.h"
#include "views/common/text.h"

namespace p2::views {
namespace {

ShelvedLesson shelved(const QString& key, Lesson lesson) {
  const QString title = qs(lesson.title);
  return {key, title, std::make_shared<const Lesson>(std::move(lesson))};
}

}  // namespace

Result<LessonShelf> bundledShelf(std::stop_token stop) {
  LessonShelf shelf;
  for (const BundledFile& file : bundledLessons()) {
    P2_TRY_ASSIGN(auto lesson, lessonFromJson(file.json, stop).within(std::string(file.name)));
    shelf.push_back(shelved(qs(file.name), std::move(lesson)));
  }
  return shelf;
}

Result<ReadLesson> readLessonFile(const QString& path, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto text, readTextFile(path.toStdString()));
  P2_TRY_ASSIGN(auto problems, lessonProblems(text, stop));
  ReadLesson read{{path, path, nullptr}, std::move(problems)};
  if (!read.problems.empty()) return read;
  P2_TRY_ASSIGN(auto lesson, lessonFromJson(text, stop));
  read.shelved = shelved(path, std::move(lesson));
  return read;
}

}  // namespace p2::views
