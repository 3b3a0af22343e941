// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "lesson/lesson_page.h"

namespace p2::test {

/// A lesson of one page with a watch task, to be bent in every way.
inline nlohmann::json smallLesson() {
  return nlohmann::json::parse(R"({
    "format": "p2-lesson", "version": 1, "title": "Small", "minutes": 3,
    "system": "node:2@8GB/s gpu:2@270GB/s", "axes": [{"name": "data", "size": 4}], "reduce": [0],
    "options": {"rules": "paper", "limit": 5, "model": "paper", "algorithm": "ring", "bytes": 1e9, "repeat": 1},
    "pages": [{
      "text": "It takes {seconds}.", "program": "root:InsideGroup:AllReduce",
      "task": {"kind": "watch", "question": "Play it.", "hints": ["Space plays."]}
    }]
  })");
}

/// The same with another task; what the page has besides can be put in its place, null takes it away.
inline nlohmann::json lessonWith(const std::string& task, const std::string& page = "{}") {
  nlohmann::json lesson = smallLesson();
  nlohmann::json& first = lesson["pages"][0];
  const nlohmann::json common = {{"question", "What?"}, {"hints", {"So."}}};
  first["task"] = common;
  first["task"].update(nlohmann::json::parse(task));
  first.merge_patch(nlohmann::json::parse(page));
  return lesson;
}

/// Prepares the one page of lessonWith().
inline PreparedPage pageOf(const std::string& task, const std::string& page = "{}") {
  const auto lesson = lessonFromJson(lessonWith(task, page).dump());
  if (!lesson.ok()) qFatal("%s", lesson.error().text().c_str());
  auto prepared = preparePage(lesson->pages[0]);
  if (!prepared.ok()) qFatal("%s", prepared.error().text().c_str());
  return std::move(prepared).value();
}

}  // namespace p2::test
