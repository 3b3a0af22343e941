// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/units.h"
#include "lesson/detail/lesson.h"
#include "lesson/detail/lesson_setting.h"
#include "lesson/detail/task_json.h"

namespace p2::inline lesson {
namespace {

constexpr int kMostMinutes = 60;
constexpr std::string_view kNeedPages = "a lesson needs a list of pages, each with a text and a task";

std::string pointerOf(std::size_t page) { return "/pages/" + std::to_string(page); }

Result<LiteralOptions::Ties> tiesFrom(std::string_view name) {
  if (name == "lowest") return LiteralOptions::Ties::Lowest;
  if (name == "arbitrary") return LiteralOptions::Ties::Arbitrary;
  return Error{"\"" + std::string(name) + "\" is no rule for ties; use lowest or arbitrary"};
}

LiteralScene readScene(const JsonValue& in) {
  refuseOtherKeys(in, {"tables", "ties", "seed"});
  constexpr std::string_view kNeed = "\"literal\" needs the name of bundled cost tables, as in {\"tables\": \"chain\"}";
  LiteralScene scene;
  scene.tables = in.at("tables", kNeed).text(kNeed);
  if (in.has("ties")) scene.ties = in.at("ties", {}).word(tiesFrom, "use lowest or arbitrary");
  if (in.has("seed")) {
    scene.seed = static_cast<std::uint64_t>(in.at("seed", {}).whole(0, INT64_MAX / 2, "a seed is 0 or more"));
  }
  return scene;
}

ExpectedFailure readFailure(const JsonValue& in) {
  refuseOtherKeys(in, {"step", "premise"});
  constexpr std::string_view kNeed = "\"fails\" needs the step, counted from 1, and the premise";
  ExpectedFailure failure;
  failure.step = static_cast<int>(in.at("step", kNeed).whole(1, kMostSizeLimit, kNeed));
  failure.premise = in.at("premise", kNeed).word(premiseFrom, kNeed);
  return failure;
}

LessonPage readPage(const JsonValue& in) {
  refuseOtherKeys(in, {"text", "system", "axes", "reduce", "options", "matrix", "program", "programs", "partial",
                       "fails", "literal", "task"});
  LessonPage page;
  page.text = in.at("text", "every page needs a text").text("a page's text is a text");
  if (in.has("program"))
    page.program = in.at("program", {}).text("a program is a text, as in root:InsideGroup:AllReduce");
  if (in.has("programs")) {
    for (const auto& [name, value] : in.at("programs", {}).members("\"programs\" gives programs names")) {
      page.programs[name] = value.text("a program is a text, as in root:InsideGroup:AllReduce");
    }
  }
  if (in.has("partial")) page.partial = in.at("partial", {}).boolean("use true where the goal need not be reached");
  if (in.has("fails")) page.fails = readFailure(in.at("fails", {}));
  if (in.has("literal")) page.literal = readScene(in.at("literal", {}));
  page.task = readTask(in.at("task", "every page needs a task"));
  return page;
}

Lesson readLesson(const JsonValue& in) {
  refuseOtherKeys(in,
                  {"format", "version", "title", "minutes", "system", "axes", "reduce", "options", "matrix", "pages"});
  Lesson lesson;
  lesson.title = in.at("title", "a lesson needs a title").text("a title is a text");
  lesson.minutes = static_cast<int>(in.at("minutes", "a lesson says how many minutes it takes")
                                        .whole(1, kMostMinutes, "a lesson takes 1 to 60 minutes"));
  for (const JsonValue& page : in.at("pages", kNeedPages).items(kNeedPages)) lesson.pages.push_back(readPage(page));
  if (!in.failed() && lesson.pages.empty())
    in.at("pages", {}).fail(std::string("the list is empty; ") + std::string(kNeedPages));
  return lesson;
}

}  // namespace

Result<Premise> premiseFrom(std::string_view name) {
  constexpr std::array kPremises{Premise::MembersNonEmpty, Premise::RowsEqual,         Premise::ColumnsDisjoint,
                                 Premise::SizeDividesRows, Premise::RowCountsEqual,    Premise::RowsDisjoint,
                                 Premise::RootNonEmpty,    Premise::MembersWithinRoot, Premise::RootTellsSomething,
                                 Premise::OthersEmpty};
  std::string known;
  for (const Premise premise : kPremises) {
    if (nameOf(premise) == name) return premise;
    known += (known.empty() ? "\"" : "\", \"") + std::string(nameOf(premise));
  }
  return Error{"there is no premise \"" + std::string(name) + "\"; use one of " + known + "\""};
}

bool looksLikeLesson(std::string_view text) {
  const std::size_t key = text.find("\"format\"");
  if (key == std::string_view::npos) return false;
  const std::size_t value = text.find_first_not_of(" \t\r\n:", key + 8);
  return value != std::string_view::npos && text.substr(value).starts_with("\"p2-lesson\"");
}

Result<Lesson> lessonFromJson(std::string_view text, std::stop_token stop) {
  P2_TRY_ASSIGN(const auto json, parseJson(text, stop));
  std::optional<Error> problem;
  const JsonValue in(json, problem);
  (void)readHeader(in, {std::string(kLessonFormat)});
  if (problem) return *problem;
  Lesson lesson = readLesson(in);
  if (problem) return *problem;
  for (std::size_t page = 0; page < lesson.pages.size(); ++page) {
    if (stop.stop_requested()) return cancelledError();
    if (lesson.pages[page].literal) continue;
    P2_TRY_ASSIGN(lesson.pages[page].setting, settingOf(json, json["pages"][page], pointerOf(page)));
  }
  return lesson;
}

}  // namespace p2::inline lesson
