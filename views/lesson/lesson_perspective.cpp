// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/lesson_perspective.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QListView>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "lesson/lesson_check.h"
#include "views/common/empty_page.h"
#include "views/common/folding_panels.h"
#include "views/common/forward_focus.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/lesson/course_delegate.h"
#include "views/lesson/lesson_maker.h"
#include "views/lesson/lesson_problems_page.h"
#include "views/lesson/lesson_progress.h"
#include "views/lesson/lesson_stage.h"
#include "views/lesson/task_panel.h"
#include "views/present/present_window.h"
#include "views/shell/pages.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

// Their widths before the list folds, and then the stage.
constexpr int kListRoom = 160;
constexpr int kStageRoom = 340;
constexpr int kTaskRoom = 300;

int firstUnsolved(const ShelvedLesson& shelved) {
  const auto solved = LessonProgress::solvedPages(shelved.key);
  const int pages = int(shelved.lesson->pages.size());
  for (int page = 0; page < pages; ++page) {
    if (!solved.contains(page)) return page;
  }
  return pages;
}

}  // namespace

LessonPerspective::LessonPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_shelf(session.jobs(),
              [](const int&, std::stop_token stop, const Progress&) { return bundledShelf(std::move(stop)); }),
      m_file(session.jobs(), [](const QString& path, std::stop_token stop,
                                const Progress&) { return readLessonFile(path, std::move(stop)); }),
      m_page(session.jobs(),
             [](const PageQuestion& question, std::stop_token stop, const Progress&) {
               return p2::views::showPage(question.lesson->pages[std::size_t(question.page)], std::move(stop));
             }),
      m_preview(session.jobs(),
                [](const Preview& asked, std::stop_token stop, const Progress&) {
                  return replayOf(asked.page->prepared, asked.placement, asked.program, std::move(stop));
                }),
      m_attempt(session.jobs(), [](const Attempt& attempt, std::stop_token stop,
                                   const Progress&) { return judge(attempt, std::move(stop)); }),
      m_pages(new QStackedWidget),
      m_empty(new EmptyPage),
      m_problems(new LessonProblemsPage),
      m_stage(new LessonStage),
      m_task(new TaskPanel) {
  auto* split = splitterOf(Qt::Horizontal, {{makeList()}, {m_stage, 1}, {m_task}}, "lessonSplitter");
  split->setSizes({220, 620, 400});
  m_lessons = new FoldingPanels(split, {{QStringLiteral("lessons"), tr("Lessons"), 2, kListRoom},
                                        {QStringLiteral("lessonStage"), tr("Stage"), 1, kStageRoom},
                                        {QStringLiteral("lessonTask"), tr("Task"), 0, kTaskRoom}});
  for (QWidget* page : std::initializer_list<QWidget*>{m_empty, m_problems, m_lessons}) m_pages->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid / 2, Theme::kGrid, Theme::kGrid / 2, Theme::kGrid);
  layout->addWidget(m_pages);
  m_toList = named(new QAction(tr("&List of lessons"), this), "lessonListAction");
  m_toList->setShortcut(Qt::CTRL | Qt::Key_L);
  connect(m_toList, &QAction::triggered, this, &LessonPerspective::goToList);
  m_present = named(new QAction(tr("&Present"), this), "presentLessonAction");
  m_present->setShortcut(Qt::Key_F11);
  connect(m_present, &QAction::triggered, this, &LessonPerspective::present);
  for (QAction* action : viewActions()) addAction(action);
  forwardFocus(*this, *m_list);
  connectParts();
  m_empty->say(tr("Reading the lessons …"), {});
  m_shelf.ask(tr("Reading the lessons"), 0);
}

QWidget* LessonPerspective::makeList() {
  auto* side = new QWidget;
  m_list = named(new QListView, "lessonList", tr("Lessons"));
  m_list->setModel(&m_model);
  m_list->setItemDelegate(new CourseDelegate(m_list));
  m_list->setWordWrap(true);
  m_list->setTextElideMode(Qt::ElideNone);
  m_list->setResizeMode(QListView::Adjust);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setSpacing(3);
  m_list->setTabKeyNavigation(false);
  m_list->setMinimumWidth(18 * m_list->fontMetrics().averageCharWidth());
  auto* open = named(new QPushButton(tr("&Open a lesson…")), "openLessonButton", {},
                     tr("Open a lesson written by you or your teacher"));
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, Theme::kGrid, 0);
  column->setSpacing(Theme::kGrid);
  column->addWidget(m_list, 1);
  column->addWidget(open);
  m_make = named(new QPushButton, "makeLessonButton");
  nameMakeButton();
  auto* codes = named(new QPushButton(tr("Read answer co&des…")), "readCodesButton", {},
                      tr("Read a file with names and the codes of exported web pages"));
  for (QPushButton* button : {m_make, codes}) column->addWidget(button);
  connect(m_make, &QPushButton::clicked, this, &LessonPerspective::makeLesson);
  connect(codes, &QPushButton::clicked, this, &LessonPerspective::askForCodes);
  connect(open, &QPushButton::clicked, this, &LessonPerspective::askForFile);
  connect(m_list, &QListView::activated, this, [this](const QModelIndex& index) { begin(index.row()); });
  connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) { begin(index.row()); });
  return side;
}

void LessonPerspective::connectParts() {
  connect(&m_shelf, &DerivedBase::changed, this, &LessonPerspective::followShelf);
  connect(&m_file, &DerivedBase::changed, this, &LessonPerspective::followFile);
  connect(&m_page, &DerivedBase::changed, this, &LessonPerspective::followPage);
  connect(&m_attempt, &DerivedBase::changed, this, &LessonPerspective::followAttempt);
  connect(&m_preview, &DerivedBase::changed, this, [this] {
    if (const auto replay = m_preview.current()) m_stage->showReplay(replay);
  });
  connect(m_empty, &EmptyPage::clicked, this, [this] { m_shelf.askAgain(tr("Reading the lessons"), 0); });
  connect(m_problems, &LessonProblemsPage::backWanted, this, [this] { goToList(); });
  connect(m_problems, &LessonProblemsPage::againWanted, this, &LessonPerspective::openFile);
  connect(m_task, &TaskPanel::checkWanted, this, &LessonPerspective::check);
  connect(m_task, &TaskPanel::pageWanted, this, &LessonPerspective::turnPage);
  connect(&m_task->answer(), &AnswerPane::candidateChosen, this, &LessonPerspective::preview);
  connect(&m_task->answer(), &AnswerPane::composed, this, &LessonPerspective::previewWritten);
  connect(m_stage, &LessonStage::pageWanted, this, &LessonPerspective::turnPresentedPage);
  m_stage->addAction(m_task->goOnAction());
  // Watching to the end solves a page without an answer.
  connect(m_stage, &LessonStage::stepsSeenChanged, this, [this] {
    if (m_settled || !isShown() || !std::holds_alternative<WatchTask>(m_shown->prepared.page.task.kind)) return;
    const LessonVerdict verdict = checkAnswer(m_shown->prepared, WatchedSteps{m_stage->stepsSeen()});
    if (verdict.right) settle(verdict);
  });
}

QList<QAction*> LessonPerspective::viewActions() { return QList<QAction*>{m_toList, m_present} + m_task->actions(); }

void LessonPerspective::goToList() {
  if (m_model.rowCount() > 0) m_pages->setCurrentWidget(m_lessons);
  FoldingPanels::revealAll(*m_list);
  m_list->setFocus();
}

void LessonPerspective::followShelf() {
  if (m_shelf.problem()) {
    return m_empty->say(qs(m_shelf.problem()->text()), tr("Read them again"));
  }
  if (m_shelf.wasCancelled()) return m_empty->say(tr("Reading the lessons was stopped."), tr("Read them again"));
  const auto shelf = m_shelf.current();
  if (!shelf) return;
  if (m_model.rowCount() >= int(shelf->size())) return;
  // A file that was read first stands behind the others.
  LessonShelf all = *shelf;
  const bool fileShown = m_row >= 0;
  if (fileShown) all.push_back(m_model.lesson(m_row));
  m_model.setShelf(all);
  if (m_pages->currentWidget() == m_empty) m_pages->setCurrentWidget(m_lessons);
  if (fileShown) return goTo(int(all.size()) - 1, m_number);
  if (m_firstWanted) return openPart(kFirstLesson);
  const auto next = std::find_if(shelf->begin(), shelf->end(), [](const ShelvedLesson& each) {
    return firstUnsolved(each) < int(each.lesson->pages.size());
  });
  begin(next == shelf->end() ? 0 : int(next - shelf->begin()));
}

void LessonPerspective::askForFile() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open a lesson"), {}, tr("Lessons (*.json)"));
  if (!path.isEmpty()) openFile(path);
}

void LessonPerspective::openFile(const QString& path) {
  m_file.askAgain(tr("Reading %1").arg(QFileInfo(path).fileName()), QFileInfo(path).absoluteFilePath());
}

void LessonPerspective::openPart(const QString& part) {
  if (part != kFirstLesson) return;
  m_firstWanted = m_model.rowCount() == 0;
  if (!m_firstWanted) goTo(0, 0);
  // The page has put the keyboard into its list; an answer comes next.
  m_answersNext = true;
  if (isShown()) QTimer::singleShot(0, this, &LessonPerspective::focusAnswer);
}

void LessonPerspective::focusAnswer() {
  m_answersNext = false;
  if (!m_task->answer().takeFocus()) m_stage->takeFocus();
}

void LessonPerspective::followFile() {
  if (m_file.problem()) {
    m_problems->show(*m_file.question(), {{{}, m_file.problem()->text()}});
    return m_pages->setCurrentWidget(m_problems);
  }
  const auto read = m_file.current();
  if (!read) return;
  if (!read->problems.empty()) {
    m_problems->show(*m_file.question(), read->problems);
    return m_pages->setCurrentWidget(m_problems);
  }
  if (const auto shelf = m_shelf.current(); shelf && m_model.rowCount() == 0) m_model.setShelf(*shelf);
  m_pages->setCurrentWidget(m_lessons);
  begin(m_model.add(read->shelved));
}

void LessonPerspective::begin(int row) {
  const ShelvedLesson& shelved = m_model.lesson(row);
  const int page = firstUnsolved(shelved);
  goTo(row, page == int(shelved.lesson->pages.size()) ? 0 : page);
}

void LessonPerspective::keepAnswer() {
  if (!m_shown) return;
  if (const auto answer = m_task->answer().answer()) m_answers.insert_or_assign(m_shownPlace, *answer);
}

void LessonPerspective::goTo(int row, int page) {
  keepAnswer();
  m_row = row;
  m_number = page;
  m_list->setCurrentIndex(m_model.index(row));
  m_stage->pause();
  m_preview.withdraw();
  m_attempt.withdraw();
  showPlace();
  const PageQuestion question{m_model.lesson(row).lesson, page};
  if (m_page.wasCancelled()) return m_page.askAgain(tr("Preparing the page"), question);
  m_page.ask(tr("Preparing the page"), question);
  if (m_page.current() && m_page.current() != m_shown) followPage();
}

void LessonPerspective::turnPage(int by) {
  if (m_row < 0) return;
  const int page = m_number + by;
  if (page >= 0 && page < int(m_model.lesson(m_row).lesson->pages.size())) return goTo(m_row, page);
  const int row = m_row + (by > 0 ? 1 : -1);
  if (row < 0 || row >= m_model.rowCount()) return;
  goTo(row, by > 0 ? 0 : int(m_model.lesson(row).lesson->pages.size()) - 1);
}

void LessonPerspective::showPlace() {
  const ShelvedLesson& shelved = m_model.lesson(m_row);
  m_task->setPlace(tr("Lesson %1 of %2: %3").arg(m_row + 1).arg(m_model.rowCount()).arg(shelved.title), m_number,
                   int(shelved.lesson->pages.size()), LessonProgress::solvedPages(shelved.key));
}

void LessonPerspective::followPage() {
  if (m_page.problem() || m_page.wasCancelled()) {
    m_shown.reset();
    m_present->setEnabled(false);
    return m_task->showProblem(m_page.problem() ? qs(m_page.problem()->text())
                                                : tr("Stopped; choose the lesson again to continue."));
  }
  const auto page = m_page.current();
  if (!page || page == m_shown) return;
  const bool hadFocus = isAncestorOf(focusWidget()) && !m_list->hasFocus();
  m_shown = page;
  m_settled = false;
  m_task->setPage(page);
  m_shownPlace = {m_model.lesson(m_row).key.toStdString(), m_number};
  if (const auto kept = m_answers.find(m_shownPlace); kept != m_answers.end()) m_task->answer().setAnswer(kept->second);
  const bool presenting = m_stage->isPresenting();
  m_stage->show(page);
  if (presenting && !m_stage->isPresenting()) present();
  m_stage->retell(presentedTitle(), presentedText());
  m_present->setEnabled(m_stage->canPresent());
  if (hadFocus || m_answersNext) focusAnswer();
}

bool LessonPerspective::isShown() const { return m_shown && m_page.current() == m_shown; }

}  // namespace p2::views
