// SPDX-License-Identifier: GPL-3.0-or-later
// Answers to a lesson's tasks: checked, shown to be right, and previewed.
#include "lesson/lesson_check.h"
#include "views/common/text.h"
#include "views/lesson/answer_pane.h"
#include "views/lesson/lesson_perspective.h"
#include "views/lesson/lesson_progress.h"
#include "views/lesson/lesson_stage.h"
#include "views/lesson/task_panel.h"

namespace p2::views {

void LessonPerspective::check() {
  if (!isShown()) return;
  if (std::holds_alternative<WatchTask>(m_shown->prepared.page.task.kind)) {
    return settle(checkAnswer(m_shown->prepared, WatchedSteps{m_stage->stepsSeen()}));
  }
  const auto answer = m_task->answer().answer();
  if (!answer) return m_task->showNote(tr("Answer first."));
  if (const auto* program = std::get_if<ComposedProgram>(&*answer)) {
    return m_attempt.askAgain(tr("Checking the program"), {m_shown, qs(program->text), true});
  }
  settle(checkAnswer(m_shown->prepared, *answer));
}

Result<LessonPerspective::Judged> LessonPerspective::judge(const Attempt& attempt, std::stop_token stop) {
  const PreparedPage& page = attempt.page->prepared;
  Judged judged{checkAnswer(page, ComposedProgram{attempt.program.toStdString()}), nullptr};
  const auto program = programOf(page, attempt.program.toStdString());
  if (!program.ok()) return judged;
  P2_TRY_ASSIGN(judged.replay, replayOf(page, page.placement, *program, std::move(stop)));
  return judged;
}

void LessonPerspective::followAttempt() {
  if (m_attempt.problem()) return m_task->showNote(qs(m_attempt.problem()->text()));
  const auto judged = m_attempt.current();
  if (!judged) return;
  if (judged->replay) m_stage->showReplay(judged->replay);
  if (judged->verdict.right || m_attempt.question()->isAsked) settle(judged->verdict);
}

void LessonPerspective::settle(const LessonVerdict& verdict) {
  m_task->showVerdict(verdict);
  if (!verdict.right) return;
  m_settled = true;
  // The answer is seen to be right: the step that was asked about plays.
  const auto& kind = m_shown->prepared.page.task.kind;
  if (!std::holds_alternative<ComposeTask>(kind) && !std::holds_alternative<WatchTask>(kind) &&
      !m_stage->revealNext()) {
    m_stage->showAll();
  }
  const ShelvedLesson& shelved = m_model.lesson(m_row);
  if (LessonProgress::solvedPages(shelved.key).contains(m_number)) return;
  LessonProgress::setSolved(shelved.key, m_number);
  m_model.refresh(m_row);
  showPlace();
}

void LessonPerspective::preview(std::size_t candidate) {
  if (!isShown() || candidate >= m_shown->prepared.candidates.size()) return;
  const LessonCandidate& each = m_shown->prepared.candidates[candidate];
  const auto* find = std::get_if<FindTask>(&m_shown->prepared.page.task.kind);
  if (find && find->among == FindTask::Among::Steps) return m_stage->goTo(int(candidate));
  if (each.program.empty()) return;
  m_preview.ask(tr("Running the program"), {m_shown, each.placement, each.program});
}

void LessonPerspective::previewWritten(const QString& program) {
  if (isShown()) m_attempt.askAgain(tr("Running the program"), {m_shown, program, false});
}

}  // namespace p2::views
