// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "base/units.h"
#include "lesson/detail/lesson_setting.h"
#include "lesson/detail/scene_json.h"
#include "lesson/detail/task_json.h"
#include "lesson/lesson.h"

namespace p2::inline lesson {
namespace {

constexpr int kMostMinutes = 60;
constexpr std::string_view kNeedPages = "a lesson needs a list of pages, each with a text and a task";

std::string pointerOf(std::size_t page) { return "/pages/" + std::to_string(page); }

ExpectedFailure readFailure(const JsonValue& in) {
  refuseOtherKeys(in, {"step", "premise"});
  constexpr std::string_view kNeed = "\"fails\" needs the step, counted from 1, and the premise";
  ExpectedFailure failure;
  failure.step = static_cast<int>(in.at("step", kNeed).whole(1, kMostSizeLimit, kNeed));
  failure.premise = in.at("premise", kNeed).word(premiseFrom, kNeed);
  return failure;
}

void readPrograms(const JsonValue& in, LessonPage& page) {
  for (const auto& [name, value] : in.members("\"programs\" gives programs names")) {
    page.programs[name] = value.text("a program is a text, as in root:InsideGroup:AllReduce");
  }
}

LessonPage readPage(const Json& json, LessonProblems& problems) {
  LessonPage page;
  problems.otherKeys(json, {"text", "system", "axes", "reduce", "options", "matrix", "program", "programs", "partial",
                            "fails", "literal", "pipeline", "training", "task"});
  problems.read(json, [&](const JsonValue& in) {
    page.text = in.at("text", "every page needs a text").text("a page's text is a text");
  });
  const auto optional = [&](const char* key, const auto& read) {
    if (json.is_object() && json.contains(key)) problems.read(json, [&](const JsonValue& in) { read(in.at(key, {})); });
  };
  optional("program", [&](const JsonValue& in) {
    page.program = in.text("a program is a text, as in root:InsideGroup:AllReduce");
  });
  optional("programs", [&](const JsonValue& in) { readPrograms(in, page); });
  optional("partial",
           [&](const JsonValue& in) { page.partial = in.boolean("use true where the goal need not be reached"); });
  optional("fails", [&](const JsonValue& in) { page.fails = readFailure(in); });
  optional("literal", [&](const JsonValue& in) { page.literal = readLiteralScene(in); });
  optional("pipeline", [&](const JsonValue& in) { page.pipeline = readPipelineScene(in); });
  optional("training", [&](const JsonValue& in) { page.training = readTrainingScene(in); });
  if (!json.is_object() || !json.contains("task")) {
    problems.read(json, [](const JsonValue& in) { (void)in.at("task", "every page needs a task"); });
  } else {
    LessonProblems within = problems.below("/task");
    page.task = readTask(json["task"], within);
  }
  return page;
}

void readHead(const Json& json, Lesson& lesson, LessonProblems& problems) {
  problems.otherKeys(json, {"format", "version", "title", "course", "minutes", "system", "axes", "reduce", "options",
                            "matrix", "pages"});
  problems.read(json, [&](const JsonValue& in) {
    lesson.title = in.at("title", "a lesson needs a title").text("a title is a text");
  });
  problems.read(json, [&](const JsonValue& in) {
    if (in.has("course")) lesson.course = in.at("course", {}).text("a course is a text");
  });
  problems.read(json, [&](const JsonValue& in) {
    lesson.minutes = static_cast<int>(in.at("minutes", "a lesson says how many minutes it takes")
                                          .whole(1, kMostMinutes, "a lesson takes 1 to 60 minutes"));
  });
  problems.read(json, [&](const JsonValue& in) {
    const auto pages = in.at("pages", kNeedPages).items(kNeedPages);
    if (!in.failed() && pages.empty())
      in.at("pages", {}).fail(std::string("the list is empty; ") + std::string(kNeedPages));
  });
}

}  // namespace

Result<Premise> premiseFrom(std::string_view name) {
  constexpr std::array kPremises{Premise::MembersNonEmpty, Premise::RowsEqual,         Premise::ColumnsDisjoint,
                                 Premise::SizeDividesRows, Premise::RowCountsEqual,    Premise::RowsDisjoint,
                                 Premise::RootNonEmpty,    Premise::MembersWithinRoot, Premise::RootTellsSomething,
                                 Premise::OthersEmpty};
  /// Names in files of before, in the same order.
  constexpr std::array<std::string_view, 10> kFormerNames{
      "every member holds something",      "every member holds the same chunks",
      "no contribution is counted twice",  "the chunks can be dealt out evenly",
      "every member holds as many chunks", "no chunk is held by two members",
      "the root holds something",          "the root knows at least what each member knows",
      "some member learns something",      "nobody but the root holds anything",
  };
  const auto former = std::find(kFormerNames.begin(), kFormerNames.end(), name);
  if (former != kFormerNames.end()) return kPremises[std::size_t(former - kFormerNames.begin())];
  std::string known;
  for (const Premise premise : kPremises) {
    if (nameOf(premise) == name) return premise;
    known += (known.empty() ? "\"" : "\", \"") + std::string(nameOf(premise));
  }
  return Error{"there is no premise \"" + std::string(name) + "\"; use one of " + known + "\""};
}

Result<LessonReading> readLesson(std::string_view text, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto json, parseJson(text, stop));
  std::optional<Error> problem;
  (void)readHeader(JsonValue(json, problem), {std::string(kLessonFormat)});
  if (problem) return *problem;
  LessonReading reading;
  LessonProblems problems(reading.problems, {});
  readHead(json, reading.lesson, problems);
  if (!json.contains("pages") || !json["pages"].is_array()) return reading;
  for (std::size_t i = 0; i < json["pages"].size(); ++i) {
    if (stop.stop_requested()) return cancelledError();
    const Json& page = json["pages"][i];
    const std::size_t before = reading.problems.size();
    LessonProblems within = problems.below(pointerOf(i));
    LessonPage read = readPage(page, within);
    bool readable = reading.problems.size() == before;
    if (read.isProgram() && page.is_object()) {
      auto setting = settingOf(json, page, pointerOf(i));
      readable = readable && setting.ok();
      if (setting.ok()) {
        read.setting = std::move(setting).value();
      } else {
        problems.add(setting.error().where.position, setting.error().message);
      }
    }
    reading.lesson.pages.push_back(std::move(read));
    reading.readable.push_back(readable);
  }
  return reading;
}

Result<Lesson> lessonFromJson(std::string_view text, std::stop_token stop) {
  P2_TRY_ASSIGN(auto reading, readLesson(text, std::move(stop)));
  if (!reading.problems.empty()) return Error{reading.problems.front().problem, reading.problems.front().where};
  return std::move(reading.lesson);
}

}  // namespace p2::inline lesson
