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
  auto* compute = std::get_if<ComputeTask>(&page.task.kind);
  for (std::size_t i = 0; compute != nullptr && i < compute->mistakes.size(); ++i) {
    P2_TRY(fill(prepared.facts, compute->mistakes[i].why, "/task/mistakes/" + std::to_string(i) + "/why"));
  }
  return {};
}

template <class T>
Result<void> take(Result<T> found, T& into) {
  if (!found.ok()) return found.error().where.position.empty() ? found.error().at("/task") : found.error();
  into = std::move(found).value();
  return {};
}

/// Whether a number can be asked for.
Result<void> checkFacts(const LessonFacts& facts, const ComputeTask& task) {
  const auto asked = facts.number(task.fact);
  if (!asked.ok()) return asked.error().at("/task/compute");
  for (std::size_t i = 0; i < task.mistakes.size(); ++i) {
    const auto mistake = facts.number(task.mistakes[i].fact);
    if (!mistake.ok()) return mistake.error().at("/task/mistakes/" + std::to_string(i) + "/compute");
  }
  return {};
}

Result<void> prepareTask(PreparedPage& prepared) {
  const auto& kind = prepared.page.task.kind;
  if (const auto* paint = std::get_if<PaintTask>(&kind)) {
    const bool rows = paint->what == PaintTask::What::Rows;
    if (rows ? !prepared.page.literal.has_value() : !prepared.page.isProgram()) {
      return Error{"rows are painted on pages of the literal algorithm, everything else on pages of a program",
                   "/task/paint"};
    }
    return take(rows ? rowGridOf(prepared, *paint) : gridOf(prepared, *paint), prepared.grid);
  }
  if (const auto* choice = std::get_if<ChoiceTask>(&kind)) {
    return take(candidatesOf(prepared, *choice), prepared.candidates);
  }
  if (const auto* find = std::get_if<FindTask>(&kind)) return take(candidatesOf(prepared, *find), prepared.candidates);
  if (std::holds_alternative<ComposeTask>(kind) && !prepared.page.isProgram()) {
    return Error{"there is no program to write on this page; ask for something else", "/task/kind"};
  }
  if (const auto* compute = std::get_if<ComputeTask>(&kind)) return checkFacts(prepared.facts, *compute);
  if (const auto* order = std::get_if<OrderTask>(&kind)) return take(itemsOf(prepared, *order), prepared.order);
  return {};
}

}  // namespace

int PreparedPage::steps() const {
  if (solution) return static_cast<int>(solution->trace->moments.size());
  if (!moments.empty()) return static_cast<int>(moments.size()) - 1;
  return static_cast<int>(program.size());
}

bool PreparedPage::isShownBefore() const {
  if (std::holds_alternative<WatchTask>(page.task.kind)) return true;
  return page.pipeline ? page.pipeline->shown : !page.training || page.training->shown;
}

int PreparedPage::stepsBeforeAnswer() const {
  const auto& kind = page.task.kind;
  if (!isShownBefore() || (std::holds_alternative<OrderTask>(kind) && page.isProgram())) return 0;
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
  } else if (page.pipeline) {
    preparePipeline(prepared, *page.pipeline);
  } else if (page.training) {
    P2_TRY(prepareTraining(prepared, *page.training, stop));
  } else {
    P2_TRY(prepareProgram(prepared, stop));
  }
  P2_TRY(fillTexts(prepared));
  P2_TRY(prepareTask(prepared));
  return prepared;
}

Timeline timelineUpTo(const Timeline& timeline, double time) {
  Timeline begun = timeline;
  std::erase_if(begun.slices, [time](const TimelineSlice& slice) { return slice.start >= time; });
  for (TimelineSlice& slice : begun.slices) slice.seconds = std::min(slice.seconds, time - slice.start);
  return begun;
}

}  // namespace p2::inline lesson
