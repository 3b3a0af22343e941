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
    const auto* compute = std::get_if<ComputeTask>(&task.kind);
    for (std::size_t i = 0; compute != nullptr && i < compute->mistakes.size(); ++i) {
      checkText("/task/mistakes/" + std::to_string(i) + "/why", compute->mistakes[i].why);
    }
  }

  void checkScene() {
    const int scenes =
        int(m_page.literal.has_value()) + int(m_page.pipeline.has_value()) + int(m_page.training.has_value());
    if (scenes > 1) add("", "a page shows one of literal, pipeline and training; leave the others out");
    for (const auto& [present, key] :
         {std::pair{m_page.pipeline.has_value(), "pipeline"}, std::pair{m_page.training.has_value(), "training"}}) {
      if (present && !m_page.program.empty())
        add("/program", "a page with \"" + std::string(key) + "\" shows no program; leave one of the two out");
    }
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
    if (const auto* compute = std::get_if<ComputeTask>(&kind)) checkNumber(prepared, *compute);
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

  /// A number that stands in the text already is no question, nor is one that a mistake gives as well.
  void checkNumber(const PreparedPage& prepared, const ComputeTask& task) {
    const std::string asked = "{" + task.fact + "}";
    for (const auto& [pointer, text] :
         {std::pair{"/text", &m_page.text}, std::pair{"/task/question", &m_page.task.question}}) {
      if (text->find(asked) != std::string::npos)
        add(pointer, asked + " is the answer to the task; leave it to \"done\"");
    }
    for (std::size_t i = 0; i < task.mistakes.size(); ++i) {
      const auto number = prepared.facts.number(task.mistakes[i].fact);
      if (number.ok() && checkAnswer(prepared, TypedNumber{numberText(*number)}).right) {
        add("/task/mistakes/" + std::to_string(i) + "/compute", "this value is the right one, too; name another");
      }
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

namespace {

void checkWhole(const Lesson& lesson, std::vector<LessonProblem>& problems) {
  if (isBlank(lesson.title)) problems.push_back({"/title", "the title is empty; give the lesson's subject"});
  if (lesson.pages.size() > kMostPages) {
    problems.push_back({"/pages", std::to_string(lesson.pages.size()) + " pages are more than a few minutes; keep to " +
                                      std::to_string(kMostPages) + " or make two lessons"});
  }
}

}  // namespace

Result<std::vector<LessonProblem>> problemsOf(const Lesson& lesson, std::stop_token stop) {
  std::vector<LessonProblem> problems;
  checkWhole(lesson, problems);
  for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
    PageCheck page(lesson.pages[i], "/pages/" + std::to_string(i), problems);
    P2_TRY(page.check(stop));
  }
  return problems;
}

Result<std::vector<LessonProblem>> lessonProblems(std::string_view text, std::stop_token stop) {
  auto reading = readLesson(text, stop);
  if (!reading.ok()) {
    if (reading.error().kind == ErrorKind::Cancelled) return reading.error();
    return std::vector<LessonProblem>{{reading.error().where.text(), reading.error().message}};
  }
  const Lesson& lesson = reading->lesson;
  std::vector<LessonProblem> problems = reading->problems;
  if (problems.empty() || !isBlank(lesson.title)) checkWhole(lesson, problems);
  for (std::size_t i = 0; i < lesson.pages.size(); ++i) {
    if (!reading->readable[i]) continue;
    PageCheck page(lesson.pages[i], "/pages/" + std::to_string(i), problems);
    P2_TRY(page.check(stop));
  }
  return problems;
}

}  // namespace p2::inline lesson
