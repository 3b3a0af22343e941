// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lesson/lesson_stage.h"

#include <QLabel>
#include <QStackedWidget>
#include <QTextDocumentFragment>
#include <QVBoxLayout>
#include <algorithm>
#include <climits>

#include "views/common/panel.h"
#include "views/common/player.h"
#include "views/common/player_bar.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/lesson/timeline_stage.h"
#include "views/literal/literal_player.h"
#include "views/present/present_run.h"
#include "views/present/present_window.h"
#include "views/stage/stage_view.h"
#include "views/timeline/timeline_view.h"

namespace p2::views {

LessonStage::LessonStage(QWidget* parent)
    : QWidget(parent),
      m_pages(new QStackedWidget),
      m_caption(new QLabel),
      m_view(new StageView),
      m_player(new Player(this)),
      m_bar(new PlayerBar(*m_player)),
      m_literal(new LiteralPlayer),
      m_timeline(new TimelineStage) {
  m_view->setObjectName(QStringLiteral("lessonStageView"));
  wrapped(named(m_caption, "lessonCaption"));
  m_caption->setTextFormat(Qt::PlainText);
  m_caption->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* program = new QWidget;
  auto* column = bareLayout<QVBoxLayout>(program, Theme::kGrid);
  column->addWidget(m_bar);
  column->addWidget(m_view, 1);
  column->addWidget(m_caption);
  m_pages->addWidget(program);
  m_pages->addWidget(m_literal);
  m_pages->addWidget(m_timeline);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, 0, Theme::kGrid, 0);
  layout->addWidget(m_pages);
  // Only for the shown page: both players have the same keys.
  for (QAction* action : m_bar->actions()) program->addAction(action);
  for (QAction* action : m_literal->actions()) m_literal->addAction(action);
  connect(m_player, &Player::moved, this, &LessonStage::showMoment);
  connect(m_timeline, &TimelineStage::stepsSeenChanged, this, &LessonStage::noteSeen);
  connect(m_literal, &LiteralPlayer::momentChanged, this, [this](std::size_t moment) { noteSeen(int(moment)); });
}

QList<QAction*> LessonStage::actions() const {
  if (isTimeline()) return m_timeline->actions();
  return isLiteral() ? m_literal->actions() : m_bar->actions();
}

void LessonStage::takeFocus() {
  if (isTimeline()) return m_timeline->view().setFocus();
  (isLiteral() ? m_literal->graph() : m_view)->setFocus();
}

bool LessonStage::isTimeline() const { return m_pages->currentIndex() == 2; }

bool LessonStage::isLiteral() const { return m_pages->currentIndex() == 1; }

bool LessonStage::canPresent() const { return isLiteral() || isTimeline() || m_replay != nullptr; }

PresentWindow* LessonStage::present(const QString& title, const QString& html) {
  if (!canPresent() || m_window) return nullptr;
  m_windowTitle = title;
  m_presented = isLiteral() || isTimeline() ? nullptr : m_replay;
  m_presentsTimeline = isTimeline();
  m_window = isLiteral()    ? presentLiteral()
             : isTimeline() ? presentTimeline()
                            : presentRun(shownRun(m_replay, m_whole->program.size()), *m_player, this);
  m_window->setTitle(title);
  m_window->setPageText(html);
  m_window->setSpeakerText(QTextDocumentFragment::fromHtml(html).toPlainText());
  m_window->setTurnsPages(true);
  connect(m_window, &PresentWindow::pageWanted, this, &LessonStage::pageWanted);
  return m_window;
}

PresentWindow* LessonStage::presentLiteral() {
  m_large = new LiteralPlayer;
  m_large->setObjectName(QStringLiteral("presentLiteral"));
  auto* window = new PresentWindow(m_large->player(), this);
  window->setBody(m_large, 6);
  const auto setLetters = [large = m_large.data(), window] {
    large->setTextPixels(PresentWindow::letterPixels(window->height()));
  };
  connect(window, &PresentWindow::magnified, m_large, setLetters);
  setLetters();
  m_large->lead(*m_literal);
  window->showFullScreen();
  window->activateWindow();
  return window;
}

PresentWindow* LessonStage::presentTimeline() {
  auto* window = new PresentWindow(m_timeline->player(), this);
  window->setBody(m_timeline->largeCopy(), 6);
  window->showFullScreen();
  window->activateWindow();
  return window;
}

void LessonStage::show(std::shared_ptr<const ShownPage> shown) {
  const ShownPage& page = *shown;
  const bool timed = !page.run && !page.replay;
  // A window for one kind of picture cannot go on with another.
  if (m_window && (m_large || page.run || timed != m_presentsTimeline)) {
    m_window->close();
    m_window = nullptr;
  }
  m_seen = 0;
  m_tellsTime = false;
  m_pages->setCurrentIndex(timed ? 2 : page.run ? 1 : 0);
  m_timeline->show(timed ? std::shared_ptr<const PreparedPage>(shown, &shown->prepared) : nullptr);
  if (timed) {
    m_whole = nullptr;
    m_replay = nullptr;
    return;
  }
  m_whole = page.replay;
  m_replay = page.before;
  m_asksOrder = std::holds_alternative<OrderTask>(page.prepared.page.task.kind);
  m_literal->setRun(page.run);
  m_literal->tellAhead(false);
  if (page.run) return m_literal->limitTo(page.prepared.stepsBeforeAnswer());
  m_view->setReplay(m_replay, m_whole.get());
  m_view->setChosen({});
  restart(0);
}

void LessonStage::showAll() {
  if (isTimeline()) return m_timeline->reveal();
  if (isLiteral()) {
    for (LiteralPlayer* player : {m_literal, m_large.data()}) {
      if (player == nullptr) continue;
      player->tellAhead(true);
      player->limitTo(INT_MAX);
    }
    return;
  }
  if (!m_whole) return;
  const int at = m_player->timeline().step();
  if (m_replay->program != m_whole->program) {
    m_replay = m_whole;
    m_view->setReplay(m_replay);
  }
  restart(at);
}

void LessonStage::playNext() {
  if (isLiteral() || !m_replay) return;
  m_player->change(&Timeline::forward);
}

bool LessonStage::revealNext() {
  if (isTimeline()) {
    if (m_timeline->isRevealed()) return false;
    m_timeline->reveal();
    return true;
  }
  if (isLiteral() || !m_whole || m_replay->playedSteps() >= m_whole->playedSteps()) return false;
  showAll();
  playNext();
  return true;
}

void LessonStage::retell(const QString& title, const QString& html) {
  if (!m_window) return;
  m_windowTitle = title;
  m_window->setTitle(title);
  m_window->setPageText(html);
  m_window->setSpeakerText(QTextDocumentFragment::fromHtml(html).toPlainText());
}

void LessonStage::showReplay(std::shared_ptr<const Replay> replay) {
  m_whole = std::move(replay);
  m_replay = m_whole;
  m_tellsTime = true;
  m_view->setReplay(m_replay);
  const bool fails = m_replay->failure || !m_replay->refusal.isEmpty();
  restart(fails ? m_replay->validSteps() : 0);
}

void LessonStage::restart(int at) {
  const bool heldBack = m_replay->playedSteps() < m_whole->playedSteps();
  m_bar->setHeldBack(heldBack                   ? tr("Answer the question to see this step")
                     : m_whole->program.empty() ? tr("Nothing is sent on this page")
                                                : QString());
  m_bar->setFailingStep(m_whole->playedSteps() > m_whole->validSteps() ? m_whole->validSteps() : -1);
  m_bar->setStepCount(int(m_whole->program.size()));
  if (m_window && m_presented != m_replay) {
    m_presented = m_replay;
    showRun(*m_window, shownRun(m_replay, m_whole->program.size()), *m_player);
    m_window->setTitle(m_windowTitle);
  }
  m_player->change([&](Timeline& timeline) {
    timeline = timeline.paced(paceOf(*m_replay), Timeline::Rests::BetweenSteps).slowAtFirst();
    timeline.scrubTo(at);
  });
  showMoment();
}

void LessonStage::goTo(int moment) { m_literal->goTo(std::size_t(moment)); }

void LessonStage::pause() {
  m_player->change(&Timeline::pause);
  m_literal->pause();
  m_timeline->pause();
}

void LessonStage::showMoment() {
  if (!m_replay) return;
  const Timeline& timeline = m_player->timeline();
  m_view->setMoment(timeline.step(), timeline.progress());
  showCaption();
  noteSeen(int(timeline.position()));
}

void LessonStage::noteSeen(int steps) {
  m_seen = std::max(m_seen, steps);
  emit stepsSeenChanged(steps);
}

/// The step that is next or why it cannot run, and what all of them take.
void LessonStage::showCaption() {
  const Timeline& timeline = m_player->timeline();
  // A step that cannot run plays until it fails, and stays the one that is spoken of.
  const bool fails = m_replay->playedSteps() > m_replay->validSteps();
  const std::size_t step = std::size_t(fails ? std::min(timeline.step(), m_replay->validSteps()) : timeline.step());
  const auto& program = m_whole->program;
  if (program.empty()) return m_caption->setText(tr("Nothing has been sent yet."));
  if (m_asksOrder && m_replay->playedSteps() < m_whole->playedSteps()) {
    return m_caption->setText(tr("The steps are shown after the answer."));
  }
  QStringList texts;
  if (step < program.size()) {
    const bool moves = timeline.progress() > 0;
    texts << (moves ? tr("Step %1 of %2: %3") : tr("Next, step %1 of %2: %3"))
                 .arg(step + 1)
                 .arg(program.size())
                 .arg(stepNotation(*m_replay->hierarchy, program[step]));
  } else {
    texts << tr("After the last step.");
  }
  const bool stops = step < program.size() && int(step) == m_replay->validSteps();
  if (stops && m_replay->failure) texts << tr("✗ %1").arg(qs(m_replay->failure->sentence));
  if (stops && !m_replay->refusal.isEmpty()) texts << tr("✗ %1").arg(m_replay->refusal);
  const bool runs = std::size_t(m_replay->validSteps()) == program.size();
  if (runs && (m_tellsTime || step == program.size())) texts << timeText();
  m_caption->setText(texts.join('\n'));
}

QString LessonStage::timeText() const {
  double seconds = 0;
  for (const StepFacts& facts : m_replay->facts) seconds += facts.cost ? facts.cost->seconds : 0;
  return tr("The whole program takes %1.").arg(secondsText(seconds));
}

}  // namespace p2::views
