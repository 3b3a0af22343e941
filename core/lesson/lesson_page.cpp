// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/lesson_page.h"

#include <algorithm>

#include "lesson/detail/page_parts.h"

namespace p2::inline lesson {
namespace {

/// Fills the placeholders of a text; the place is the pointer to its key.
Result<void> fill(const LessonFacts& facts, std::string& text, const std::string& pointer) {
  auto filled = facts.filledIn(text);
  if (!filled.ok()) return filled.error().at(pointer);
  text = std::move(filled).value();
  return {};
}

Result<void> fillTexts(PreparedPage& prepared) {
  LessonPage& page = prepared.page;
  P2_TRY(fill(prepared.facts, page.text, "/text"));
  P2_TRY(fill(prepared.facts, page.task.question, "/task/question"));
  P2_TRY(fill(prepared.facts, page.task.done, "/task/done"));
  for (std::size_t i = 0; i < page.task.hints.size(); ++i) {
    P2_TRY(fill(prepared.facts, page.task.hints[i], "/task/hints/" + std::to_string(i)));
  }
  auto* choice = std::get_if<ChoiceTask>(&page.task.kind);
  for (std::size_t i = 0; choice != nullptr && i < choice->answers.size(); ++i) {
    const std::string pointer = "/task/answers/" + std::to_string(i);
    P2_TRY(fill(prepared.facts, choice->answers[i].text, pointer + "/text"));
    P2_TRY(fill(prepared.facts, choice->answers[i].why, pointer + "/why"));
  }
  return {};
}

template <class T>
Result<void> take(Result<T> found, T& into) {
  if (!found.ok()) return found.error().where.position.empty() ? found.error().at("/task") : found.error();
  into = std::move(found).value();
  return {};
}

Result<void> prepareTask(PreparedPage& prepared) {
  const auto& kind = prepared.page.task.kind;
  if (const auto* paint = std::get_if<PaintTask>(&kind)) {
    const bool rows = paint->what == PaintTask::What::Rows;
    if (rows != prepared.page.literal.has_value()) {
      return Error{"rows are painted on pages of the literal algorithm, everything else on pages of a program",
                   "/task/paint"};
    }
    return take(rows ? rowGridOf(prepared, *paint) : gridOf(prepared, *paint), prepared.grid);
  }
  if (const auto* choice = std::get_if<ChoiceTask>(&kind)) {
    return take(candidatesOf(prepared, *choice), prepared.candidates);
  }
  if (const auto* find = std::get_if<FindTask>(&kind)) return take(candidatesOf(prepared, *find), prepared.candidates);
  if (std::holds_alternative<ComposeTask>(kind) && prepared.page.literal) {
    return Error{"there is no program to write about the literal algorithm; ask for something else", "/task/kind"};
  }
  return {};
}

}  // namespace

int PreparedPage::steps() const {
  if (solution) return static_cast<int>(solution->trace->moments.size());
  return static_cast<int>(program.size());
}

int PreparedPage::stepsBeforeAnswer() const {
  const auto& kind = page.task.kind;
  if (const auto* paint = std::get_if<PaintTask>(&kind)) {
    return paint->what == PaintTask::What::Partners ? steps() : std::max(0, paint->step - 1);
  }
  if (const auto* choice = std::get_if<ChoiceTask>(&kind)) {
    if (choice->about == ChoiceTask::About::Outcome) return choice->step - 1;
    if (choice->about == ChoiceTask::About::Returned) return steps() - 1;
  }
  return steps();
}

Result<PreparedPage> preparePage(const LessonPage& page, std::stop_token stop) {
  PreparedPage prepared;
  prepared.page = page;
  if (page.literal) {
    P2_TRY(prepareScene(prepared, *page.literal, stop));
  } else {
    P2_TRY(prepareProgram(prepared, stop));
  }
  P2_TRY(fillTexts(prepared));
  P2_TRY(prepareTask(prepared));
  return prepared;
}

}  // namespace p2::inline lesson
