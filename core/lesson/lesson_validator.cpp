// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/lesson_validator.h"

#include <algorithm>

#include "lesson/lesson_check.h"

namespace p2::inline lesson {
namespace {

constexpr std::size_t kMostPages = 12;

bool isBlank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

/// The problems of one page, under its pointer.
class PageCheck {
 public:
  PageCheck(const LessonPage& page, std::string pointer, std::vector<LessonProblem>& problems)
      : m_page(page), m_pointer(std::move(pointer)), m_problems(problems) {}

  Result<void> check(std::stop_token stop) {
    checkTexts();
    checkScene();
    const auto prepared = preparePage(m_page, std::move(stop));
    if (!prepared.ok() && prepared.error().kind == ErrorKind::Cancelled) return prepared.error();
    if (!prepared.ok()) {
      add(prepared.error().where.position, prepared.error().message);
      return {};
    }
    if (prepared->trace) checkOutcome(*prepared);
    checkTask(*prepared);
    return {};
  }

 private:
  void add(const std::string& pointer, const std::string& problem) {
    m_problems.push_back({m_pointer + pointer, problem});
  }

  void checkText(const std::string& pointer, const std::string& text) {
    if (isBlank(text)) return add(pointer, "the text is empty; write the text for the student");
    for (const std::string& number : writtenNumbers(text)) {
      add(pointer, "the number " + number + " is literal, so nothing checks it; use a placeholder");
    }
  }

  void checkTexts() {
    const LessonTask& task = m_page.task;
    checkText("/text", m_page.text);
    checkText("/task/question", task.question);
    if (!task.done.empty()) checkText("/task/done", task.done);
    if (task.hints.empty()) add("/task/hints", "there is no hint; give one or more");
    for (std::size_t i = 0; i < task.hints.size(); ++i) checkText("/task/hints/" + std::to_string(i), task.hints[i]);
    const auto* choice = std::get_if<ChoiceTask>(&task.kind);
    for (std::size_t i = 0; choice != nullptr && i < choice->answers.size(); ++i) {
      checkText("/task/answers/" + std::to_string(i) + "/text", choice->answers[i].text);
      checkText("/task/answers/" + std::to_string(i) + "/why", choice->answers[i].why);
    }
  }

  void checkScene() {
    if (m_page.literal && !m_page.program.empty()) {
      add("/program", "a page of the literal algorithm shows no program; leave one of the two out");
    }
    if (m_page.literal && m_page.fails) add("/fails", "a page of the literal algorithm has no program that could fail");
  }

  /// Whether the program ends as the page says.
  void checkOutcome(const PreparedPage& prepared) {
    const ProgramTrace& trace = *prepared.trace;
    if (m_page.fails) return checkFailure(trace, *m_page.fails);
    if (m_page.program.empty()) {
      if (std::holds_alternative<WatchTask>(m_page.task.kind))
        add("/program", "there is no program to be watched; name one");
      return;
    }
    if (trace.failure()) {
      return add("/program", "step " + std::to_string(trace.validSteps() + 1) + " fails: " + trace.failure()->sentence +
                                 "; correct it, or mark it with \"fails\"");
    }
    if (!trace.complete() && !m_page.partial) {
      add("/program", trace.problem()->text() + "; add steps, or say \"partial\": true");
    }
    if (trace.complete() && m_page.partial) {
      add("/partial", "the program reaches its goal, so it is not partial; leave the key out");
    }
  }

  void checkFailure(const ProgramTrace& trace, const ExpectedFailure& expected) {
    if (!trace.failure()) return add("/fails", "the program does not fail: all its steps run; leave the key out");
    const int step = trace.validSteps() + 1;
    if (step != expected.step) {
      return add("/fails/step", "the program fails in step " + std::to_string(step) + ", not in step " +
                                    std::to_string(expected.step) + ": " + trace.failure()->sentence);
    }
    const auto& premise = trace.failure()->premise;
    if (!premise) return add("/fails/premise", "no premise fails there: " + trace.failure()->sentence);
    if (premise->premise != expected.premise) {
      add("/fails/premise", "what fails there is \"" + std::string(nameOf(premise->premise)) + "\", not \"" +
                                std::string(nameOf(expected.premise)) + "\": " + premise->sentence);
    }
  }

  void checkTask(const PreparedPage& prepared) {
    const auto& kind = m_page.task.kind;
    const auto expected = expectedAnswer(prepared);
    if (!expected) return add("/task", "nothing that can be chosen is right; ask for something else");
    const LessonVerdict verdict = checkAnswer(prepared, *expected);
    const bool composes = std::holds_alternative<ComposeTask>(kind);
    if (!verdict.right) {
      add(composes ? "/task/solution" : "/task", "its own answer is not accepted: " + verdict.sentence);
    }
    if (!prepared.candidates.empty() || std::holds_alternative<ChoiceTask>(kind)) checkCandidates(prepared.candidates);
    if (std::holds_alternative<PaintTask>(kind)) checkGrid(prepared.grid);
  }

  void checkCandidates(const std::vector<LessonCandidate>& all) {
    const auto right = std::count_if(all.begin(), all.end(), [](const LessonCandidate& each) { return each.right; });
    if (all.size() < 2) return add("/task", "there is only one answer to choose from; offer two or more");
    if (right == std::ptrdiff_t(all.size())) {
      add("/task", "every one of the " + std::to_string(all.size()) + " answers is right; ask for something else");
    }
  }

  void checkGrid(const PaintGrid& grid) {
    const auto right = std::count(grid.right.begin(), grid.right.end(), true);
    if (right == 0) add("/task", "no cell has to be marked, so that doing nothing is right; ask about another step");
  }

  const LessonPage& m_page;
  std::string m_pointer;
  std::vector<LessonProblem>& m_problems;
};

}  // namespace

Result<std::vector<LessonProblem>> problemsOf(const Lesson& lesson, std::stop_token stop) {
  std::vector<LessonProblem> problems;
  if (isBlank(lesson.title)) problems.push_back({"/title", "the title is empty; say what the lesson is about"});
  if (lesson.pages.size() > kMostPages) {
    problems.push_back({"/pages", std::to_string(lesson.pages.size()) + " pages are more than a few minutes; keep to " +
                                      std::to_string(kMostPages) + " or make two lessons"});
  }
  for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
    PageCheck page(lesson.pages[i], "/pages/" + std::to_string(i), problems);
    P2_TRY(page.check(stop));
  }
  return problems;
}

Result<std::vector<LessonProblem>> lessonProblems(std::string_view text, std::stop_token stop) {
  const auto lesson = lessonFromJson(text, stop);
  if (lesson.ok()) return problemsOf(*lesson, std::move(stop));
  if (lesson.error().kind == ErrorKind::Cancelled) return lesson.error();
  return std::vector<LessonProblem>{{lesson.error().where.text(), lesson.error().message}};
}

}  // namespace p2::inline lesson
