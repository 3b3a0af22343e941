// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/shell/chain_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>

#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/pages.h"
#include "views/shell/perspective.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/shell/summary.h"
#include "views/shell/training_text.h"

namespace p2::views {
namespace {

constexpr int kSystemCharacters = 12;

/// The place of a placement by its best program, from 1.
int rankOf(const Exploration& exploration, int row) {
  const auto order = rankedPlacements(exploration);
  return int(std::find(order.begin(), order.end(), std::size_t(row)) - order.begin()) + 1;
}

QWidget* emptyChain() {
  auto* chain = new QWidget;
  bareLayout<QHBoxLayout>(chain, 0);
  return chain;
}

}  // namespace

ChainBar::ChainBar(Session& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_reduction(emptyChain()), m_training(emptyChain()) {
  setObjectName("chainBar");
  auto* layout = bareLayout<QHBoxLayout>(this, 0);
  layout->addWidget(m_reduction);
  layout->addWidget(m_training);
  m_cluster = addLink(*m_training, "chainCluster", tr("Cluster"), kSystemPage);
  m_model = addLink(*m_training, "chainModel", tr("Model"), kModelPage);
  m_plan = addLink(*m_training, "chainPlan", tr("Plan"), kPlanPage);
  m_training->hide();
  m_system = addLink(*m_reduction, "chainSystem", tr("System"), kSystemPage);
  // The subject is not elided in favour of the options.
  m_system->setLeastCharacters(kSystemCharacters);
  m_axes = addLink(*m_reduction, "chainAxes", tr("Axes"), kPlacementsPage);
  m_placement = addLink(*m_reduction, "chainPlacement", tr("Placement"), kPlacementsPage);
  m_program = addLink(*m_reduction, "chainProgram", tr("Program"), kProgramsPage);
  layout->addStretch(1);
  connect(&session, &Session::workspaceChanged, this, &ChainBar::refresh);
  connect(&session, &Session::explorationChanged, this, &ChainBar::refresh);
  connect(&session, &Session::freshnessChanged, this, &ChainBar::refresh);
  connect(&session, &Session::selectionChanged, this, &ChainBar::refresh);
  connect(&session, &Session::trainingChanged, this, &ChainBar::refreshTraining);
  connect(&session, &Session::workspaceChanged, this, &ChainBar::refreshTraining);
  refresh();
  refreshTraining();
}

void ChainBar::showTraining(bool training) {
  m_training->setVisible(training);
  m_reduction->setVisible(!training);
}

void ChainBar::setBrief(bool brief) {
  for (ChainLink* link : findChildren<ChainLink*>()) link->setBrief(brief);
  fitLastLinks();
}

void ChainBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitLastLinks();
}

/// The last link of a chain is the longest, and elided before the others: they would all lose as much.
void ChainBar::fitLastLinks() {
  for (ChainLink* last : {m_plan, m_program}) {
    int room = width();
    const QLayout& row = *last->parentWidget()->layout();
    for (int place = 0; place + 1 < row.count(); ++place) room -= row.itemAt(place)->sizeHint().width();
    last->setMaximumWidth(std::max(last->minimumSizeHint().width(), room));
  }
}

ChainLink* ChainBar::addLink(QWidget& chain, const QString& objectName, const QString& caption,
                             const QString& perspective) {
  auto* row = static_cast<QHBoxLayout*>(chain.layout());
  if (row->count() > 0) {
    auto* chevron = new QLabel(QStringLiteral("▸"));
    chevron->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(chevron);
  }
  auto* link = new ChainLink(objectName, caption);
  connect(link, &ChainLink::clicked, this, [this, perspective] { emit perspectiveWanted(perspective); });
  row->addWidget(link);
  return link;
}

void ChainBar::refresh() {
  const auto workspace = m_session.workspace();
  const QString none = QStringLiteral("–");
  const QString system = qs(workspace->system.name);
  m_system->setValue(system.isEmpty() ? none : system);
  m_axes->setValue(axesText(workspace->axes));
  const PlacementResult* placement = m_session.placement();
  if (placement) {
    const std::size_t count = m_session.exploration()->placements.size();
    // With a workload, placements are ranked by the whole step elsewhere.
    m_placement->setValue(
        workspace->workload
            ? tr("one of %1").arg(count)
            : tr("%1 of %2").arg(rankOf(*m_session.exploration(), m_session.placementIndex())).arg(count),
        placement->matrix);
  } else {
    m_placement->setValue(none);
  }
  if (const ProgramResult* program = m_session.program()) {
    m_program->setValue(programText(*m_session.placement(), *program), {},
                        predictedText(m_session.exploration()->workspace, *program));
  } else {
    m_program->setValue(none);
  }
  for (ChainLink* link : {m_placement, m_program}) link->setStale(!m_session.isCurrent());
  fitLastLinks();
}

void ChainBar::refreshTraining() {
  const auto workspace = m_session.workspace();
  const TrainingChoice& training = workspace->training;
  const StepPlanner& planner = m_session.planner();
  const QString none = QStringLiteral("–");
  const QString system = qs(workspace->system.name);
  m_cluster->setValue(system.isEmpty() ? none : system);
  m_model->setValue(
      planner.hasModel() ? tr("%1, %2 × %3").arg(qs(training.model)).arg(training.batch).arg(training.sequence) : none);
  const PlannedConfiguration* shown = planner.shown();
  QString plan = none;
  if (shown != nullptr) plan = degreesText(shown->configuration) + ' ' + secondsText(shown->estimate.seconds);
  if (planner.chosenProblem()) plan = tr("%1, the best: your choice cannot run here").arg(plan);
  m_plan->setValue(plan);
  m_plan->setStale(!planner.isCurrent());
  fitLastLinks();
}

}  // namespace p2::views
