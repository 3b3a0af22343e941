// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/placement/step_guard.h"

#include <QEvent>
#include <algorithm>
#include <utility>

#include "step/step_pricer.h"
#include "training/step_computation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"

namespace p2::views {
namespace {

/// Options that no entry depends on keep their defaults, so that equal questions compare equal.
ExploreOptions ownGoals(ExploreOptions options) {
  options.goal = kAllReduceGoal;
  options.cost.bytes = CostOptions{}.bytes;
  options.cost.repeat = 1;
  return options;
}

Workspace othersQuestion(const Workspace& workspace) {
  Workspace question;
  question.system = workspace.system;
  question.axes = workspace.axes;
  question.options = ownGoals(workspace.options);
  return question;
}

bool hasOtherAxes(const Workspace& workspace) {
  return std::any_of(workspace.axes.begin(), workspace.axes.end(),
                     [](const Axis& axis) { return !axis.reduce && axis.size > 1; });
}

}  // namespace

StepGuard::StepGuard(Session& session, QWidget* parent)
    : QLabel(parent),
      m_session(session),
      m_others(session.jobs(), &otherAxes),
      m_step(session.jobs(), [pricer = std::make_shared<StepPricer>()](const StepQuestion& question,
                                                                       std::stop_token stop, const Progress& progress) {
        return pricer->rank(withComputation(question), std::move(stop), progress);
      }) {
  setObjectName(QStringLiteral("stepGuard"));
  setWordWrap(true);
  setTextFormat(Qt::RichText);
  setTextInteractionFlags(Qt::TextBrowserInteraction);
  setAccessibleName(tr("Effect on the rest of the training step"));
  connect(this, &QLabel::linkActivated, this, [this](const QString& link) {
    bool isRow = false;
    const int row = link.toInt(&isRow);
    isRow ? emit placementWanted(row) : emit workloadWanted();
  });
  for (DerivedBase* each : std::initializer_list<DerivedBase*>{&m_others, &m_step}) {
    connect(each, &DerivedBase::changed, this, &StepGuard::present);
  }
  connect(&session, &Session::workspaceChanged, this, &StepGuard::ask);
  connect(&session, &Session::freshnessChanged, this, &StepGuard::ask);
  connect(&session, &Session::explorationChanged, this, &StepGuard::present);
  connect(&session, &Session::selectionChanged, this, [this] {
    if (m_planLeads) showSentence();
  });
  hide();
}

void StepGuard::setSeen(bool seen) {
  m_seen = seen;
  ask();
}

void StepGuard::setPlanLeads(bool leads) {
  if (std::exchange(m_planLeads, leads) != leads) showSentence();
}

bool StepGuard::hasWorkload() const { return m_session.workspace()->workload.has_value(); }

PlacementNotes::Kind StepGuard::expectedKind() const {
  if (!m_misfit.isEmpty()) return PlacementNotes::Kind::None;
  if (hasWorkload()) return PlacementNotes::Kind::Step;
  return hasOtherAxes(*m_session.workspace()) ? PlacementNotes::Kind::OtherAxes : PlacementNotes::Kind::None;
}

const DerivedBase& StepGuard::derived() const {
  return hasWorkload() ? static_cast<const DerivedBase&>(m_step) : m_others;
}

void StepGuard::ask() {
  if (!m_seen) return;
  const Workspace& workspace = *m_session.workspace();
  // The answer of the other kind is of no use once there is a workload, or none any more.
  if (hasWorkload()) {
    m_others.forget();
    const auto fits = checkWorkloadAxes(*workspace.workload, workspace.axes);
    m_misfit = fits.ok() ? QString() : qs(fits.error().text());
    if (!m_misfit.isEmpty()) {
      m_step.forget();
    } else if (m_session.problem()) {
      m_step.withdraw();
    } else {
      m_step.ask(tr("Ranking by the training step"), stepQuestionOf(workspace, *workspace.workload));
    }
  } else {
    m_misfit.clear();
    m_step.forget();
    const bool sensible = !m_session.problem() && hasOtherAxes(workspace);
    sensible ? m_others.ask(tr("Pricing the other axes"), othersQuestion(workspace)) : m_others.withdraw();
  }
  present();
}

void StepGuard::present() {
  const auto exploration = m_session.exploration();
  if (hasWorkload()) {
    m_notes = PlacementNotes(exploration, m_step.answer());
    m_stale = m_misfit.isEmpty() && !m_step.isCurrent();
  } else {
    const bool any = hasOtherAxes(*m_session.workspace());
    m_notes = any ? PlacementNotes(exploration, m_others.answer()) : PlacementNotes();
    m_stale = !m_others.isCurrent();
  }
  m_stale = m_stale || !m_session.isCurrent();
  showSentence();
  emit notesChanged();
}

void StepGuard::showSentence() {
  const bool wanted = hasWorkload() || hasOtherAxes(*m_session.workspace());
  QString sentence = m_notes.finding();
  if (m_planLeads && !sentence.isEmpty() && m_notes.kind() == PlacementNotes::Kind::Step) {
    const int row = m_session.workspace()->planned ? m_session.placementIndex() : -1;
    const QString own = m_notes.communicationOf(row);
    sentence = own.isEmpty() ? tr("Communication alone: %1").arg(sentence) : own;
  }
  if (!m_misfit.isEmpty()) {
    sentence = tr("✗ %1. See <a href=\"workload\">Workload</a>").arg(m_misfit.toHtmlEscaped());
  } else if (const auto& problem = derived().problem()) {
    sentence = QStringLiteral("✗ ") + qs(problem->text()).toHtmlEscaped();
  } else if (derived().wasCancelled()) {
    sentence = tr("Stopped; the effect on the rest of the step is unknown.");
  } else if (m_stale && (derived().isRunning() || m_session.isExploring())) {
    sentence = tr("Computing the effect on the rest of the step …");
  }
  setText(sentence);
  const bool warns = m_notes.kind() == PlacementNotes::Kind::OtherAxes && !m_stale &&
                     m_notes.warns(m_session.exploration()->bestPlacement);
  const QColor ink = m_stale ? Theme::mutedText() : warns ? Theme::bad() : Theme::text();
  if (palette().color(QPalette::WindowText) != ink) {
    QPalette own = palette();
    own.setColor(QPalette::WindowText, ink);
    setPalette(own);
  }
  setVisible(wanted && !sentence.isEmpty());
}

void StepGuard::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  // Rich text keeps the colours it was laid out with.
  if (event->type() != QEvent::PaletteChange || text().isEmpty()) return;
  clear();
  showSentence();
}

}  // namespace p2::views
