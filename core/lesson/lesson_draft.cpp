// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/lesson_draft.h"

#include <algorithm>

#include "lesson/lesson_page.h"
#include "text/json_document.h"

namespace p2::inline lesson {
namespace {

constexpr std::int64_t kMostMarked = 16;  // contributors of a grid that is marked by hand

Json taskJson(const DraftPage& page) {
  Json task = Json::object();
  switch (page.task) {
    case DraftPage::Task::Watch:
      task["kind"] = "watch";
      break;
    case DraftPage::Task::Mark:
      task = {{"kind", "predict"}, {"paint", "parts"}, {"device", page.device}, {"step", page.step}};
      break;
    case DraftPage::Task::Outcome:
      task = {{"kind", "predict"}, {"choose", "outcome"}, {"step", page.step}};
      break;
    case DraftPage::Task::Order:
      task = {{"kind", "order"}, {"order", "program"}};
      break;
    case DraftPage::Task::Compute:
      task = {{"kind", "compute"}, {"compute", page.fact}};
      break;
    case DraftPage::Task::Compose:
      task = {{"kind", "compose"}, {"solution", page.program}};
      break;
  }
  task["question"] = page.question;
  task["hints"] = page.hints;
  if (!page.done.empty()) task["done"] = page.done;
  return task;
}

Json pageJson(const DraftPage& page) {
  Json json{{"text", page.text}};
  if (page.task != DraftPage::Task::Compose && !page.program.empty()) json["program"] = page.program;
  json["task"] = taskJson(page);
  return json;
}

Json headJson(const LessonDraft& draft) {
  Json json{{"format", "p2-lesson"}, {"version", 1}, {"title", draft.title}, {"minutes", draft.minutes}};
  const auto setting = parseJson(workspaceToJson(draft.setting));
  for (const char* key : {"system", "axes", "reduce", "options", "matrix"}) {
    if (setting.ok() && setting->contains(key)) json[key] = (*setting)[key];
  }
  return json;
}

/// Says of a page's program that it fails or ends early, if it does. Anything else wrong is left to the checks.
Result<void> markEnding(Json& page, const Json& head, std::stop_token stop) {
  if (!page.contains("program")) return {};
  Json lesson = head;
  Json plain{
      {"text", "x"}, {"program", page["program"]}, {"task", {{"kind", "watch"}, {"question", "x"}, {"hints", {"x"}}}}};
  lesson["pages"] = Json::array({plain});
  const auto read = lessonFromJson(jsonText(lesson), stop);
  if (!read.ok()) return read.error().kind == ErrorKind::Cancelled ? Result<void>(read.error()) : Result<void>();
  const auto prepared = preparePage(read->pages[0], std::move(stop));
  if (!prepared.ok())
    return prepared.error().kind == ErrorKind::Cancelled ? Result<void>(prepared.error()) : Result<void>();
  const ProgramTrace& trace = *prepared->trace;
  if (const auto& failure = trace.failure(); failure && failure->premise) {
    page["fails"] = {{"step", trace.validSteps() + 1}, {"premise", std::string(nameOf(failure->premise->premise))}};
  } else if (!trace.failure() && !trace.complete()) {
    page["partial"] = true;
  }
  return {};
}

}  // namespace

std::string defaultQuestion(const DraftPage& page) {
  switch (page.task) {
    case DraftPage::Task::Watch:
      return "Play the program to its end.";
    case DraftPage::Task::Mark:
      return "Mark what device " + std::to_string(page.device) + " holds after step " + std::to_string(page.step) + ".";
    case DraftPage::Task::Outcome:
      return "What happens in step " + std::to_string(page.step) + "?";
    case DraftPage::Task::Order:
      return "Put its steps in order.";
    case DraftPage::Task::Compute:
      return "Compute the number.";
    case DraftPage::Task::Compose:
      return "Write a program that reaches the goal.";
  }
  return {};
}

Result<LessonDraft> draftFrom(const Workspace& workspace) {
  if (workspace.program.empty()) return Error{"a lesson is made from a program; choose one on the page Programs"};
  LessonDraft draft;
  draft.title = "A lesson of mine";
  draft.setting = workspace;
  draft.setting.source.clear();
  const std::string& program = workspace.program;
  const Goal& goal = workspace.options.goal;
  draft.pages = {{"Here are {devices} devices. At the end of this program " + std::string(goal.achieved) + ".",
                  program,
                  DraftPage::Task::Watch,
                  0,
                  1,
                  {},
                  {},
                  {"Space plays, Right is one step."},
                  {}},
                 {"Look at its first step.",
                  program,
                  DraftPage::Task::Mark,
                  0,
                  1,
                  {},
                  {},
                  {"Which devices work together with device 0?"},
                  {}},
                 {"The program takes {steps} steps.",
                  program,
                  DraftPage::Task::Order,
                  0,
                  1,
                  {},
                  {},
                  {"Which step's premises hold at the start?"},
                  {}}};
  std::int64_t contributors = 1;
  for (const Axis& axis : workspace.axes) contributors *= axis.reduce ? axis.size : 1;
  // Where only the root starts with data, what device 0 holds is everything or nothing.
  if (contributors > kMostMarked || goal.before.holders == Distribution::Holders::Root) {
    draft.pages[1].task = DraftPage::Task::Outcome;
    draft.pages[1].hints = {"Go through its premises: do they hold in every group?"};
  }
  const std::size_t steps = static_cast<std::size_t>(std::count(program.begin(), program.end(), ';')) + 1;
  if (steps < 2) draft.pages.pop_back();
  for (DraftPage& page : draft.pages) page.question = defaultQuestion(page);
  return draft;
}

Result<std::string> draftToJson(const LessonDraft& draft, std::stop_token stop) {
  const Json head = headJson(draft);
  Json lesson = head;
  lesson["pages"] = Json::array();
  for (const DraftPage& page : draft.pages) {
    Json json = pageJson(page);
    P2_TRY(markEnding(json, head, stop));
    lesson["pages"].push_back(std::move(json));
  }
  return jsonText(lesson);
}

}  // namespace p2::inline lesson
