// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/bundled_lessons.h"

#include "base/lists.h"
#include "graphs/strategy_json.h"
#include "lesson/detail/bundled_lesson_files.h"

namespace p2::inline lesson {
namespace {

std::string namesOf(std::span<const BundledFile> files) { return joined(files, ", ", &BundledFile::name); }

/// "counted-twice" of "06-counted-twice".
std::string_view withoutNumber(std::string_view name) {
  const std::size_t dash = name.find('-');
  return dash == std::string_view::npos ? name : name.substr(dash + 1);
}

}  // namespace

std::span<const BundledFile> bundledLessons() { return lessonFiles(); }

Result<std::string_view> bundledLesson(std::string_view name) {
  for (const BundledFile& file : lessonFiles()) {
    if (file.name == name || withoutNumber(file.name) == name) return file.json;
  }
  return Error{"there is no lesson called \"" + std::string(name) + "\"; use one of " + namesOf(lessonFiles()) +
               ", or a file"};
}

Result<StrategyProblem> bundledTables(std::string_view name) {
  for (const BundledFile& file : tableFiles()) {
    if (file.name == name) return strategyProblemFromJson(std::string(file.json));
  }
  return Error{"there are no cost tables called \"" + std::string(name) + "\"; use one of " + namesOf(tableFiles())};
}

}  // namespace p2::inline lesson
