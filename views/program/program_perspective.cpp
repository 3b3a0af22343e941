// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_perspective.h"

#include <QAction>
#include <QEvent>
#include <QLabel>
#include <QPointer>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/common/empty_page.h"
#include "views/common/player.h"
#include "views/common/player_bar.h"
#include "views/common/theme.h"
#include "views/program/device_panel.h"
#include "views/program/program_edit.h"
#include "views/program/program_list_panel.h"
#include "views/program/rule_text.h"
#include "views/shell/session.h"
#include "views/stage/stage_view.h"

namespace p2::views {
namespace {

QString noteOf(const Replay& replay) {
  QStringList notes;
  const std::int64_t devices = replay.placement.deviceCount();
  if (devices > kMostShownDevices) {
    notes.append(QObject::tr("the first %1 of %2 devices").arg(kMostShownDevices).arg(devices));
  }
  if (!replay.isExplicit()) {
    notes.append(QObject::tr("the bit matrices of %1 × %1, several bits to a pixel; choose a device to see its equal "
                             "rows and columns folded")
                     .arg(replay.members));
  }
  return notes.isEmpty() ? QString() : QObject::tr("Shown: %1").arg(notes.join("; "));
}

QString problemOf(const Replay& replay) {
  const int step = replay.validSteps();
  const QString problem = ruleText(replay, StepId(step)).problem;
  const bool fails = std::size_t(step) < replay.facts.size();
  return problem.isEmpty() || !fails ? problem : QObject::tr("step %1: %2").arg(step + 1).arg(problem);
}

}  // namespace

ProgramPerspective::ProgramPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_running(session.jobs(), [](const Question& question, std::stop_token stop, const Progress&) {
        return makeReplay(*question.exploration, question.placement, question.program, std::move(stop));
      }) {
  auto* split = new QSplitter(Qt::Horizontal);
  split->setObjectName("programSplitter");
  split->setChildrenCollapsible(false);
  split->addWidget(makePrograms());
  split->addWidget(makeStepper());
  split->setStretchFactor(0, 2);
  split->setStretchFactor(1, 3);
  split->setSizes({480, 720});
  m_pages = new QStackedWidget;
  m_empty = new EmptyPage;
  connect(m_empty, &EmptyPage::clicked, this, [this] { emit perspectiveWanted(kSystemPage); });
  m_pages->addWidget(m_empty);
  m_pages->addWidget(split);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(m_pages);
  for (QAction* action : viewActions()) addAction(action);
  setFocusProxy(m_stepper);
  connectStepper();
  connectSession();
  showFreshness();
  followSelection();
}

QString ProgramPerspective::help() const {
  return tr(
      "<p>On the left the reduction programs of the selected placement, fastest first. A step such as "
      "<b>ReduceScatter·node</b> works inside every node; <b>AllReduce·node∥root</b> joins, below the root, the "
      "first devices of all nodes, their second ones, and so on; <b>∥₁</b> stands for only the first of those "
      "groups.</p>"
      "<p>On the right every device's bit matrix: rows are chunks, columns are contributions. Frames and letters "
      "show the groups of the step, whose rule stands below. Space plays, Left and Right step, Home and End go "
      "to the ends. Click a device for its matrix in large; Ctrl and the arrow keys walk over the devices, Esc leaves "
      "them. The wheel or + and − zoom, a double click goes into a node, 0 shows everything, dragging or Shift with "
      "the arrow keys pans. B shows what was held before the step, N sums instead of bits, T an AllReduce as "
      "ReduceScatter and AllGather.</p>"
      "<p>Type any program under the list to see what it does, or why it is wrong.</p>");
}

QList<QAction*> ProgramPerspective::viewActions() { return m_bar->actions() + QList<QAction*>{m_list->filterAction()}; }

QWidget* ProgramPerspective::makePrograms() {
  auto* side = new QWidget;
  m_list = new ProgramListPanel(m_session);
  m_edit = new ProgramEdit;
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(0, 0, Theme::kGrid, 0);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_list, 1);
  layout->addWidget(m_edit);
  connect(m_edit, &ProgramEdit::programTyped, this, &ProgramPerspective::tryProgram);
  connect(m_list, &ProgramListPanel::programClicked, this, &ProgramPerspective::showSelection);
  return side;
}

QWidget* ProgramPerspective::makeStepper() {
  auto* side = new QWidget;
  m_player = new Player(this);
  m_bar = new PlayerBar(*m_player);
  m_stepper = new StageView;
  m_stepper->setObjectName("stepper");
  m_device = new DevicePanel;
  m_device->setObjectName("devicePanel");
  m_device->hide();
  m_note = new QLabel;
  m_note->setObjectName("stepperNote");
  m_note->setWordWrap(true);
  m_rule = new QLabel;
  m_rule->setObjectName("ruleText");
  m_rule->setTextFormat(Qt::RichText);
  m_rule->setWordWrap(true);
  m_rule->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_rule->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  // Room for the longest rule, so that nothing jumps while steps pass.
  m_rule->setMinimumHeight(7 * m_rule->fontMetrics().lineSpacing());

  auto* middle = new QHBoxLayout;
  middle->setSpacing(0);
  middle->addWidget(m_stepper, 1);
  middle->addWidget(m_device);
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(Theme::kGrid, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  layout->addWidget(m_bar);
  layout->addLayout(middle, 1);
  layout->addWidget(m_note);
  layout->addWidget(m_rule);
  return side;
}

void ProgramPerspective::connectStepper() {
  connect(m_player, &Player::moved, this, &ProgramPerspective::showMoment);
  connect(m_stepper, &StageView::deviceHovered, &m_session, &Session::setHoveredDevice);
  connect(m_stepper, &StageView::deviceChosen, this, &ProgramPerspective::showDevice);
  connect(m_device, &DevicePanel::closed, this, [this] {
    m_stepper->setChosen({});
    m_device->hide();
    m_stepper->setFocus();
  });
}

void ProgramPerspective::connectSession() {
  connect(&m_session, &Session::hoverChanged, this, [this] { m_stepper->setHovered(m_session.hoveredDevice()); });
  connect(&m_session, &Session::selectionChanged, this, &ProgramPerspective::followSelection);
  connect(&m_running, &DerivedBase::changed, this, &ProgramPerspective::followReplay);
  connect(&m_session, &Session::stepChanged, this, &ProgramPerspective::followStep);
  connect(&m_session, &Session::explorationChanged, this, &ProgramPerspective::followSelection);
  connect(&m_session, &Session::freshnessChanged, this, &ProgramPerspective::showFreshness);
}

void ProgramPerspective::showFreshness() {
  m_stepper->setStale(!m_session.isCurrent());
  const auto problem = m_session.problem();
  m_empty->say(
      problem ? QString::fromStdString(problem->text()) : tr("The programs appear here as soon as they are found."),
      problem ? tr("Go to the system") : QString());
}

ProgramPerspective::Question ProgramPerspective::questionOf(const Program& program) const {
  return {m_session.exploration(), std::size_t(m_session.placementIndex()), program};
}

void ProgramPerspective::followSelection() {
  m_pages->setCurrentIndex(m_session.program() ? 1 : 0);
  if (!m_session.program()) return;
  // The same selection comes again when more programs were found; that must not take away what is being typed.
  Question selection = questionOf(m_session.program()->program);
  if (m_selection == selection) return;
  m_selection = std::move(selection);
  showSelection();
}

bool ProgramPerspective::showsSelection() const {
  return m_replay && m_session.program() && m_running.isCurrent() &&
         m_running.question() == questionOf(m_session.program()->program);
}

void ProgramPerspective::followStep() {
  if (!showsSelection() || StepId(m_player->timeline().shownStep()) == m_session.step()) return;
  m_player->change([this](Timeline& timeline) { timeline.show(int(m_session.step().value())); });
}

void ProgramPerspective::showSelection() {
  if (!m_session.program()) return;
  m_edit->setProgram(m_session.placement()->hierarchy, m_session.program()->program);
  requestReplay(m_session.program()->program, false);
}

void ProgramPerspective::tryProgram(const Program& program) {
  if (!m_session.placement()) return;
  const auto& listed = m_session.placement()->programs;
  const auto found = std::find_if(listed.begin(), listed.end(),
                                  [&](const ProgramResult& result) { return result.program == program; });
  if (found != listed.end()) m_session.select(m_session.placementIndex(), int(found - listed.begin()));
  requestReplay(program, true);
}

void ProgramPerspective::requestReplay(const Program& program, bool typed) {
  m_typed = typed;
  const QString title = tr("Running the program");
  if (typed && m_running.wasCancelled()) return m_running.askAgain(title, questionOf(program));
  m_running.ask(title, questionOf(program));
}

void ProgramPerspective::followReplay() {
  if (const auto replay = m_running.current()) return showReplay(replay, m_typed);
  if (const auto& problem = m_running.problem()) m_edit->setProblem(QString::fromStdString(problem->text()));
  if (m_running.wasCancelled()) m_edit->setProblem(tr("Stopped; press Enter here to run the program again."));
}

void ProgramPerspective::showReplay(std::shared_ptr<const Replay> replay, bool typed) {
  m_replay = std::move(replay);
  m_ruleStep = {};
  m_stepsDone = -1;
  m_stepper->setReplay(m_replay);
  m_note->setText(noteOf(*m_replay));
  m_note->setVisible(!m_note->text().isEmpty());
  const QString problem = problemOf(*m_replay);
  m_edit->setProblem(problem);
  m_bar->setStepCount(int(m_replay->program.size()));
  m_player->change([&](Timeline& timeline) {
    timeline = timeline.restarted(m_replay->playedSteps());
    if (showsSelection()) timeline.show(int(m_session.step().value()));
    // Who types a wrong program wants to see where it goes wrong.
    if (typed && !problem.isEmpty()) timeline.last();
  });
}

void ProgramPerspective::showMoment() {
  if (!m_replay) return;
  const Timeline& timeline = m_player->timeline();
  m_stepper->setMoment(timeline.step(), timeline.progress());
  // At rest the step that is done stands there with its rule, in the end what the program has come to.
  const bool ends = timeline.position() == timeline.steps() && m_replay->playedSteps() == m_replay->validSteps();
  const StepId step(ends ? timeline.step() : timeline.shownStep());
  const int done = std::min(timeline.step(), m_replay->validSteps());
  if (std::exchange(m_stepsDone, done) != done && m_device->isVisibleTo(this)) showDevice(m_stepper->chosen());
  if (step == m_ruleStep) return;
  showRule(step);
  if (showsSelection() && !ends) m_session.setStep(step);
}

void ProgramPerspective::showRule(StepId step) {
  m_ruleStep = step;
  m_rule->setText(toHtml(ruleText(*m_replay, step)));
}

// Rich text keeps the colours it was laid out with.
void ProgramPerspective::changeEvent(QEvent* event) {
  Perspective::changeEvent(event);
  if (event->type() != QEvent::PaletteChange || !m_replay || m_ruleStep.isNone()) return;
  m_rule->clear();
  showRule(m_ruleStep);
}

void ProgramPerspective::showDevice(Device device) {
  if (m_replay && !device.isNone()) {
    m_device->show(*m_replay, device, std::min(m_player->timeline().step(), m_replay->validSteps()));
  } else {
    m_device->hide();
  }
}

}  // namespace p2::views
