// SPDX-License-Identifier: GPL-3.0-or-later
// Work of LessonPerspective: answers, presenting, and the part for teachers, making a lesson and the codes of a class.
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QVBoxLayout>

#include "lesson/answer_code.h"
#include "lesson/lesson_check.h"
#include "text/text_file.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/lesson/answer_pane.h"
#include "views/lesson/lesson_maker.h"
#include "views/lesson/lesson_perspective.h"
#include "views/lesson/lesson_progress.h"
#include "views/lesson/lesson_stage.h"
#include "views/lesson/task_panel.h"
#include "views/present/present_window.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

constexpr std::size_t kMostPresentedAnswers = 8;

}  // namespace

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

void LessonPerspective::present() {
  if (m_row < 0 || !m_shown) return;
  const PresentWindow* window = m_stage->present(presentedTitle(), presentedText());
  if (window == nullptr) return;
  connect(window, &PresentWindow::left, this, [this] {
    activateWindow();
    m_stage->takeFocus();
  });
}

QString LessonPerspective::presentedTitle() const {
  return tr("%1, page %2").arg(m_model.lesson(m_row).title).arg(m_number + 1);
}

/// The text, the question, and the answers to choose from.
QString LessonPerspective::presentedText() const {
  const PreparedPage& prepared = m_shown->prepared;
  QString html = Qt::convertFromPlainText(qs(prepared.page.text), Qt::WhiteSpaceNormal);
  html += QStringLiteral("<p><b>%1</b></p>").arg(qs(prepared.page.task.question).toHtmlEscaped());
  if (prepared.candidates.empty() || prepared.candidates.size() > kMostPresentedAnswers) return html;
  html += QStringLiteral("<ol type=\"A\">");
  for (const QString& answer : m_task->answer().choices()) {
    html += QStringLiteral("<li>%1</li>").arg(answer.toHtmlEscaped());
  }
  return html + QStringLiteral("</ol>");
}

// The class predicts, the next key reveals the step, the one after it turns the page.
void LessonPerspective::turnPresentedPage(int by) {
  if (by > 0 && isShown() && m_stage->revealNext()) return;
  turnPage(by);
}

void LessonPerspective::makeLesson() {
  if (!m_maker) {
    auto draft = draftFrom(m_session.workspaceWithSelection());
    if (!draft.ok()) return m_task->showNote(qs(draft.error().text()));
    m_maker = new LessonMaker(m_session.jobs(), std::move(draft).value(), this);
    connectMaker(*m_maker);
  }
  nameMakeButton();
  m_maker->show();
  m_maker->raise();
  m_maker->activateWindow();
}

void LessonPerspective::connectMaker(LessonMaker& maker) {
  // An unsaved lesson is kept, and the button leads back to it.
  connect(&maker, &QDialog::finished, this, [this] {
    if (!m_maker->isSaved()) return;
    m_maker->deleteLater();
    m_maker = nullptr;
    nameMakeButton();
  });
  connect(&maker, &LessonMaker::newDraftWanted, this, [this] {
    auto draft = draftFrom(m_session.workspaceWithSelection());
    if (!draft.ok()) return m_maker->showProblem(qs(draft.error().text()));
    m_maker->startFrom(std::move(draft).value());
  });
  connect(&maker, &LessonMaker::tried, this, [this](const QString& path, const std::shared_ptr<QTemporaryDir>& folder) {
    m_tried = folder;
    openFile(path);
    m_maker->hide();  // it would cover the lesson
  });
}

QString LessonPerspective::unfinished() const {
  return m_maker && !m_maker->isSaved() ? tr("1 unsaved lesson") : QString();
}

void LessonPerspective::nameMakeButton() {
  m_make->setText(m_maker ? tr("Back to the ne&w lesson") : tr("Ne&w lesson from this program…"));
  m_make->setToolTip(m_maker ? tr("Continue the lesson that you are making")
                             : tr("Make a lesson from the selected program"));
}

QString LessonPerspective::codeText(const CodeLine& line) {
  if (!line.problem.empty()) return tr("✗ line %1, %2: %3").arg(line.line).arg(qs(line.name), qs(line.problem));
  return tr("✓ %1: %2, %3 of %4 pages solved; tries page by page: %5")
      .arg(qs(line.name), qs(line.lesson))
      .arg(line.solved())
      .arg(line.pages.size())
      .arg(qs(line.triesText()));
}

void LessonPerspective::readCodesOf(const QString& path) {
  std::vector<std::shared_ptr<const Lesson>> shelf;
  for (int row = 0; row < m_model.rowCount(); ++row) shelf.push_back(m_model.lesson(row).lesson);
  m_session.jobs().start<std::vector<CodeLine>>(
      tr("Reading %1").arg(QFileInfo(path).fileName()), {},
      [shelf, path](const std::stop_token&, const Progress&) -> Result<std::vector<CodeLine>> {
        P2_TRY_ASSIGN(const std::string text, readTextFile(path.toStdString()));
        std::vector<Lesson> lessons;
        for (const auto& lesson : shelf) lessons.push_back(*lesson);
        return readCodes(text, lessons);
      },
      [self = QPointer(this)](const Result<std::vector<CodeLine>>& lines) {
        if (!self) return;
        if (!lines.ok()) return self->showCodes({qs(lines.error().text())});
        QStringList list;
        for (const CodeLine& line : *lines) list << codeText(line);
        self->showCodes(list);
      });
}

void LessonPerspective::showCodes(const QStringList& lines) {
  auto* shown = named(new QDialog(this), "codesShown");
  shown->setAttribute(Qt::WA_DeleteOnClose);
  shown->setWindowTitle(tr("Answers of a class"));
  auto* list = named(new QListWidget, "codesList");
  list->setWordWrap(true);
  list->addItems(lines);
  auto* layout = new QVBoxLayout(shown);
  layout->addWidget(list);
  layout->addWidget(new QLabel(tr("+ with a hint, – not solved")));
  shown->resize(560, 420);
  shown->show();
}

void LessonPerspective::askForCodes() {
  auto* dialog = named(new QFileDialog(this, tr("Read answer codes: a name and a code on every line")), "codesDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setNameFilters({tr("Texts (*.txt *.csv)"), tr("All files (*)")});
  connect(dialog, &QFileDialog::fileSelected, this, &LessonPerspective::readCodesOf);
  dialog->open();
}

}  // namespace p2::views
