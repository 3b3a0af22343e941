// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_perspective.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "synthesis/program_notation.h"
#include "views/common/empty_page.h"
#include "views/common/folding_panels.h"
#include "views/common/forward_focus.h"
#include "views/common/panel.h"
#include "views/common/player.h"
#include "views/common/player_bar.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/compare/compare_pane.h"
#include "views/compare/compare_view.h"
#include "views/program/composer.h"
#include "views/program/program_list_panel.h"
#include "views/program/program_showing.h"
#include "views/program/rule_card.h"
#include "views/program/rule_text.h"
#include "views/program/stepped_stage.h"
#include "views/shell/pages.h"
#include "views/shell/session.h"
#include "views/shell/way_out.h"
#include "views/stage/stage_view.h"

namespace p2::views {

ProgramPerspective::ProgramPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_running(session.jobs(), [](const Question& question, std::stop_token stop, const Progress&) {
        return makeReplay(*question.exploration, question.placement, question.program, std::move(stop));
      }) {
  auto* split = splitterOf(Qt::Horizontal, {{makePrograms(), 2}, {makeStepper(), 3}}, "programSplitter");
  split->setSizes({440, 960});
  m_pages = new QStackedWidget;
  m_empty = new EmptyPage;
  connect(m_empty, &EmptyPage::clicked, this, [this] {
    if (const auto problem = m_session.problem()) emit perspectiveWanted(wayOutOf(*problem).page);
  });
  m_pages->addWidget(m_empty);
  m_pages->addWidget(new FoldingPanels(
      split, {{QStringLiteral("programs"), tr("Programs"), 1}, {QStringLiteral("steps"), tr("Steps")}}));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(m_pages);
  for (QAction* action : viewActions()) addAction(action);
  forwardFocus(*this, m_stepper->stage());
  connectStepper();
  connectComposer();
  connectSession();
  showFreshness();
  followSelection();
  m_showing->followPin();
}

QList<QAction*> ProgramPerspective::viewActions() {
  return m_bar->actions() + m_showing->actions() + QList<QAction*>{m_list->filterAction()};
}

void ProgramPerspective::openPart(const QString& part) {
  if (part != kRace) return;
  m_session.pin(std::nullopt);
  const auto exploration = m_session.exploration();
  if (exploration && exploration->bestPlacement >= 0) m_session.select(exploration->bestPlacement, 0);
  m_showing->race();
}

QWidget* ProgramPerspective::makePrograms() {
  auto* side = new QWidget;
  m_list = new ProgramListPanel(m_session);
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(0, 0, Theme::kGrid, 0);
  layout->addWidget(m_list, 1);
  connect(m_list, &ProgramListPanel::programClicked, this, [this] {
    m_lostDraft.clear();
    showSelection();
  });
  connect(m_list, &ProgramListPanel::draftClicked, this, &ProgramPerspective::showDraft);
  return side;
}

QWidget* ProgramPerspective::makeStepper() {
  auto* side = new QWidget;
  m_player = new Player(this);
  m_bar = new PlayerBar(*m_player);
  m_stepper = new SteppedStage;
  m_composer = new Composer(m_session);
  m_showing = new ProgramShowing(m_session, *m_player, *this);
  m_trueScale = new QToolButton;
  m_trueScale->setObjectName("trueScale");
  m_trueScale->setText(tr("True scale"));
  m_trueScale->setToolTip(
      tr("Steps last in proportion to their predicted times. Off: a step that costs ten times as much lasts 1.2 s "
         "longer"));
  m_trueScale->setCheckable(true);
  m_trueScale->setFocusPolicy(Qt::TabFocus);
  connect(m_trueScale, &QToolButton::toggled, this, [this] {
    if (m_replay && !m_showing->compares())
      m_player->change([this](Timeline& timeline) { timeline.setPace(paceOf(*m_replay, scale())); });
  });
  m_bar->addOption(*m_trueScale);
  for (QWidget* button : m_showing->buttons()) m_bar->addButton(*button);

  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(Theme::kGrid, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_bar);
  layout->addWidget(m_showing->message());
  for (QWidget* part : std::initializer_list<QWidget*>{m_stepper, &m_showing->pane()}) layout->addWidget(part, 1);
  layout->addWidget(m_stepper->note());
  layout->addWidget(m_composer);
  m_showing->takePlaceOf({m_stepper, m_composer});
  connect(m_showing, &ProgramShowing::comparingChanged, this, &ProgramPerspective::followComparing);
  return side;
}

void ProgramPerspective::followComparing() {
  const bool on = m_showing->compares();
  CompareView& both = m_showing->pane().view();
  m_trueScale->setEnabled(!on);
  m_bar->setPositionText(on ? [&both](const Timeline& timeline) { return both.positionText(timeline); }
                            : std::function<QString(const Timeline&)>());
  forwardFocus(*this, on ? static_cast<QWidget&>(both.stage(0)) : m_stepper->stage());
  // The stage that had the focus may have gone.
  if (!m_list->isAncestorOf(QApplication::focusWidget())) setFocus();
  if (!on && m_replay) restart(false);
}

void ProgramPerspective::connectStepper() {
  connect(m_player, &Player::moved, this, &ProgramPerspective::showMoment);
  connect(&m_stepper->stage(), &StageView::deviceHovered, &m_session, &Session::setHoveredDevice);
  connect(m_stepper, &SteppedStage::ruleShown, this, &ProgramPerspective::followRule);
  connect(&m_stepper->card(), &RuleCard::hintTaken, this, &ProgramPerspective::takeHint);
}

void ProgramPerspective::connectComposer() {
  connect(m_composer, &Composer::programComposed, this, &ProgramPerspective::tryProgram);
  connect(m_composer, &Composer::stepChosen, this,
          [this](int step) { m_player->change([step](Timeline& timeline) { timeline.show(step); }); });
  connect(m_composer, &Composer::composingChanged, this, [this] {
    showFindings();
    describeDraft();
  });
  connect(m_composer, &Composer::previewed, this,
          [this](const std::vector<DeviceGroup>& groups) { m_stepper->stage().setPreview(groups); });
}

void ProgramPerspective::connectSession() {
  connect(&m_session, &Session::hoverChanged, this,
          [this] { m_stepper->stage().setHovered(m_session.hoveredDevice()); });
  connect(&m_session, &Session::selectionChanged, this, &ProgramPerspective::followSelection);
  // A draft belongs to its document.
  connect(&m_session, &Session::replaced, this, [this] {
    m_selection.reset();
    m_draft.reset();
    describeDraft();
  });
  connect(&m_running, &DerivedBase::changed, this, &ProgramPerspective::followReplay);
  connect(&m_session, &Session::stepChanged, this, &ProgramPerspective::followStep);
  connect(&m_session, &Session::explorationChanged, this, &ProgramPerspective::followSelection);
  connect(&m_session, &Session::freshnessChanged, this, &ProgramPerspective::showFreshness);
}

void ProgramPerspective::showFreshness() {
  m_stepper->stage().setStale(!m_session.isCurrent());
  const auto problem = m_session.problem();
  m_empty->say(problem ? qs(problem->text()) : tr("Looking for programs …"),
               problem ? wayOutOf(*problem).name : QString());
}

// Whether a program of one is a program of the other.
bool ProgramPerspective::isSamePlace(const Question& a, const Question& b) {
  const Workspace& before = a.exploration->workspace;
  const Workspace& now = b.exploration->workspace;
  return shapeOf(before.system) == shapeOf(now.system) && before.axes == now.axes &&
         before.options.goal == now.options.goal && before.options.rules == now.options.rules &&
         a.exploration->placements[a.placement].matrix == b.exploration->placements[b.placement].matrix;
}

ProgramPerspective::Question ProgramPerspective::questionOf(const Program& program) const {
  return {m_session.exploration(), std::size_t(m_session.placementIndex()), program};
}

void ProgramPerspective::followSelection() {
  m_pages->setCurrentIndex(m_session.program() ? 1 : 0);
  if (!m_session.program()) return;
  // The selection is repeated when more programs arrive; typing must survive that.
  Question selection = questionOf(m_session.program()->program);
  if (m_selection == selection) return;
  const bool otherPlace = !m_selection || !isSamePlace(*m_selection, selection);
  const bool exploredAgain = !otherPlace && m_selection->exploration->workspace != selection.exploration->workspace;
  const bool movesDraft = otherPlace && m_draft && m_draftHierarchy;
  m_selection = std::move(selection);
  if (movesDraft) return carryDraftOver();
  // A draft typed while prices change is priced again, and stays.
  if (exploredAgain && m_composer->isTyping()) return requestReplay(m_selection->program, false);
  if (exploredAgain && m_typed && m_draft) return showDraft();
  showSelection();
}

// The steps of a draft mean the same on another system that has their levels.
void ProgramPerspective::carryDraftOver() {
  const ExploreOptions& options = m_selection->exploration->workspace.options;
  const QString text = typedNotation(*m_draftHierarchy, *m_draft);
  const auto program = readProgram(*m_session.placement()->hierarchy, text.toStdString(), options.rules, options.goal);
  if (!program.ok()) {
    m_draft.reset();
    m_typed = false;
    m_lostDraft = tr("Your draft %1 does not fit this system and placement").arg(text);
    return showSelection();
  }
  m_draft = *program;
  m_draftHierarchy = m_session.placement()->hierarchy;
  if (m_typed) return showDraft();
  showSelection();
}

bool ProgramPerspective::showsSelection() const {
  return m_replay && m_session.program() && m_running.isCurrent() &&
         m_running.question() == questionOf(m_session.program()->program);
}

void ProgramPerspective::followStep() {
  if (m_showing->compares() || !showsSelection() || StepId(m_player->timeline().shownStep()) == m_session.step())
    return;
  m_player->change([this](Timeline& timeline) { timeline.show(int(m_session.step().value())); });
}

void ProgramPerspective::showSelection() {
  if (!m_session.program()) return;
  m_composer->setProgram(m_session.program()->program);
  requestReplay(m_session.program()->program, false);
  describeDraft();
}

void ProgramPerspective::tryProgram(const Program& program, int step) {
  if (!m_session.placement()) return;
  if (m_draft != program) m_draftFacts.clear();
  m_lostDraft.clear();
  m_draft = program;
  m_draftHierarchy = m_session.placement()->hierarchy;
  m_wanted = step;
  requestReplay(program, true);
  describeDraft();
}

void ProgramPerspective::showDraft() {
  if (!m_draft) return;
  m_composer->setProgram(*m_draft);
  tryProgram(Program(*m_draft), -1);
}

void ProgramPerspective::describeDraft() {
  if (!m_draft || !m_session.placement()) return m_list->setDraft({}, {}, false);
  const auto composing = m_composer->composing();
  if (composing && composing->all.program == *m_draft) m_draftFacts = statusText(*composing);
  const bool shown = m_running.question() && m_running.question()->program == *m_draft && m_typed;
  m_list->setDraft(programNotation(*m_session.placement()->hierarchy, *m_draft), m_draftFacts, shown);
}

void ProgramPerspective::requestReplay(const Program& program, bool typed) {
  m_typed = typed;
  const QString title = tr("Running the program");
  if (typed && m_running.wasCancelled()) return m_running.askAgain(title, questionOf(program));
  m_running.ask(title, questionOf(program));
}

void ProgramPerspective::followReplay() {
  if (const auto replay = m_running.current()) return showReplay(replay, m_typed);
  if (const auto& problem = m_running.problem()) m_composer->setProblem(qs(problem->text()));
  if (m_running.wasCancelled()) m_composer->setProblem(tr("Stopped; press Enter to run the program again."));
}

void ProgramPerspective::showReplay(std::shared_ptr<const Replay> replay, bool typed) {
  m_replay = std::move(replay);
  m_stepper->setReplay(m_replay);
  const QString problem = firstProblem(*m_replay);
  m_composer->setProblem(problem.isEmpty() ? m_lostDraft : problem);
  m_bar->setFailingStep(m_replay->playedSteps() > m_replay->validSteps() ? m_replay->validSteps() : -1);
  m_bar->setStepCount(int(m_replay->program.size()));
  m_showing->setReplay(m_replay);
  if (!m_showing->compares()) restart(typed && !problem.isEmpty());
  m_wanted = -1;
}

void ProgramPerspective::restart(bool atEnd) {
  m_player->change([&](Timeline& timeline) {
    timeline = timeline.paced(paceOf(*m_replay, scale()), Timeline::Rests::BetweenSteps).slowAtFirst();
    if (showsSelection()) timeline.show(int(m_session.step().value()));
    // After an edit, show the failing step if there is one, else the step that was added.
    if (atEnd) timeline.last();
    if (m_typed && m_wanted >= 0) {
      timeline.scrubTo(m_wanted);
      timeline.forward();
    }
  });
}

PaceScale ProgramPerspective::scale() const { return m_trueScale->isChecked() ? PaceScale::True : PaceScale::Log; }

void ProgramPerspective::showMoment() {
  m_composer->setDone(int(std::ceil(m_player->timeline().position())));
  if (m_replay && !m_showing->compares()) m_stepper->showMoment(m_player->timeline());
}

void ProgramPerspective::followRule(StepId step, bool ends) {
  m_composer->setStep(int(step.value()));
  showFindings();
  if (showsSelection() && !ends) m_session.setStep(step);
}

// Steps that run, and the end of a complete program, have no findings.
void ProgramPerspective::showFindings() {
  const auto composing = m_composer->composing();
  const bool wrong = m_replay && composing && composing->all.program == m_replay->program && !m_replay->complete &&
                     m_stepper->ruleStep() == StepId(m_replay->validSteps());
  m_stepper->card().setFindings(wrong ? findingsOf(composing->all) : Findings{});
  // A program that can still reach the goal needs a next step, not another one in place of its steps.
  const bool canGoOn = wrong && !composing->all.failure && composing->all.next.furtherSteps;
  const bool hints = wrong && !canGoOn && composing->all.hint;
  m_stepper->card().setHint(hints ? qs(composing->all.hint->sentence) : QString());
}

void ProgramPerspective::takeHint() {
  const auto composing = m_composer->composing();
  if (!composing || !composing->all.hint) return;
  const ProgramHint hint = *composing->all.hint;
  m_composer->setProgram(hint.program);
  tryProgram(hint.program, int(std::min(hint.step, hint.program.size() - 1)));
}

}  // namespace p2::views
