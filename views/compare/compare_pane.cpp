// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/compare_pane.h"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "exporters/torchrun.h"
#include "runs/measured_program.h"
#include "views/common/panel.h"
#include "views/common/player.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/compare/compare_view.h"
#include "views/shell/session.h"
#include "views/stage/stage_view.h"

namespace p2::views {

ComparePane::ComparePane(Session& session, Player& player, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_player(player),
      m_runs(session.jobs(), [](const Question& question, std::stop_token stop,
                                const Progress&) { return compare(question, std::move(stop)); }),
      m_view(new CompareView),
      m_note(new QLabel) {
  setObjectName("comparePane");
  wrapped(named(m_note, "compareNote"));
  m_note->hide();
  auto* layout = bareLayout<QVBoxLayout>(this, Theme::kGrid / 2);
  layout->addWidget(m_note);
  layout->addWidget(m_view, 1);
  connect(&m_runs, &DerivedBase::changed, this, &ComparePane::follow);
  connect(&m_session, &Session::pinnedChanged, this, &ComparePane::ask);
  connect(&m_session, &Session::explorationChanged, this, &ComparePane::ask);
  connect(&m_session, &Session::measuredChanged, this, &ComparePane::showMeasured);
  connect(&m_session, &Session::freshnessChanged, this, [this] { m_view->setStale(!m_session.isCurrent()); });
  connect(m_view, &CompareView::clockChanged, this, &ComparePane::restart);
  connect(m_view, &CompareView::algorithmChosen, this, &ComparePane::ask);
  connect(&m_player, &Player::moved, this, [this] {
    if (m_on) m_view->setPosition(m_player.timeline().position());
  });
  for (std::size_t side = 0; side < 2; ++side) {
    connect(&m_view->stage(side), &StageView::deviceHovered, &m_session, &Session::setHoveredDevice);
    connect(&m_session, &Session::hoverChanged, &m_view->stage(side),
            [this, side] { m_view->stage(side).setHovered(m_session.hoveredDevice()); });
  }
}

Result<ComparedRuns> ComparePane::compare(const Question& question, std::stop_token stop) {
  const Exploration& exploration = *question.exploration;
  const auto [algorithmA, algorithmB] = question.algorithms;
  P2_TRY_ASSIGN(auto b, makeReplay(exploration, question.placement, question.program, stop, algorithmB));
  auto a = question.a;
  const auto& all = exploration.placements;
  const auto placed = std::find_if(all.begin(), all.end(),
                                   [&a](const PlacementResult& each) { return each.matrix == a->placement.matrix(); });
  if (algorithmA && placed != all.end()) {
    P2_TRY_ASSIGN(a, makeReplay(exploration, std::size_t(placed - all.begin()), a->program, stop, algorithmA));
  }
  P2_TRY_ASSIGN(auto ranA, comparedRun(std::move(a), stop));
  P2_TRY_ASSIGN(auto ranB, comparedRun(std::move(b), std::move(stop)));
  return ComparedRuns{std::move(ranA), std::move(ranB)};
}

void ComparePane::setShown(std::shared_ptr<const Replay> replay) {
  m_shown = std::move(replay);
  ask();
}

void ComparePane::setOn(bool on) {
  if (std::exchange(m_on, on) == on) return;
  ask();
  if (on && m_runs.current()) restart();
}

void ComparePane::ask() {
  const auto exploration = m_session.exploration();
  if (!m_on || !m_shown || !exploration || m_session.placementIndex() < 0) return;
  const CostOptions& cost = exploration->workspace.options.cost;
  m_view->offerAlgorithms(cost.model, cost.algorithm);
  const std::array algorithms{m_view->algorithmOf(0), m_view->algorithmOf(1)};
  const int pinned = m_session.pinnedPlacement();
  if (pinned >= 0) {
    return m_runs.ask(tr("Comparing programs"),
                      {m_shown, exploration, std::size_t(pinned), m_session.pinned()->program, algorithms});
  }
  const auto row = std::size_t(m_session.placementIndex());
  const PlacementResult& placement = exploration->placements[row];
  m_runs.ask(tr("Comparing programs"),
             {m_shown, exploration, row, defaultRival(placement, exploration->workspace.options.goal, m_shown->program),
              algorithms});
}

void ComparePane::follow() {
  const auto& problem = m_runs.problem();
  m_note->setText(problem                 ? qs(problem->text())
                  : m_runs.wasCancelled() ? tr("Stopped; choose a program to compare again.")
                                          : QString());
  m_note->setVisible(!m_note->text().isEmpty());
  const auto runs = m_runs.current();
  if (!runs) return;
  m_view->setRuns(runs);
  showMeasured();
  emit runsChanged();
}

void ComparePane::showMeasured() {
  const auto runs = m_runs.current();
  if (!runs) return;
  const Replay& a = *runs->a.replay;
  const Replay& b = *runs->b.replay;
  const MeasuredQuestion question{a.system.name,
                                  recordedAxes(a.placement.axes()),
                                  a.placement.matrix().text(),
                                  programText(*a.hierarchy, a.program),
                                  b.placement.matrix().text(),
                                  programText(*b.hierarchy, b.program)};
  m_view->setMeasured(qs(measuredText(measuredPair(*m_session.measured(), question), "A", "B")));
}

void ComparePane::restart() {
  if (!m_on || !m_runs.current()) return;
  const Race& race = m_view->race();
  m_player.change([&race](Timeline& timeline) {
    const bool bySteps = race.clock() == Race::Clock::Steps;
    timeline = timeline.paced(race.pace(), bySteps ? Timeline::Rests::BetweenSteps : Timeline::Rests::None);
  });
}

}  // namespace p2::views
