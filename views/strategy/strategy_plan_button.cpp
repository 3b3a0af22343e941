// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_plan_button.h"

#include <QPointer>

#include "training_answer/document_training.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/strategy/strategy_finder.h"

namespace p2::views {
namespace {

/// The document's training with the plan's model, batch, sequence, precision and framework, and its configuration as
/// "mine". Reads the model's file where it is one.
Result<TrainingChoice> withPlan(TrainingChoice training, const TrainingPlanFile& plan) {
  P2_TRY_ASSIGN(training, withModelArgument(std::move(training), plan.modelName));
  training.batch = plan.question.batch;
  training.sequence = plan.question.sequence;
  training.precision = nameOf(plan.question.precision);
  training.framework = plan.planned.framework->name;
  training.mine = chosenFrom(plan.planned).choices;
  return training;
}

}  // namespace

StrategyPlanButton::StrategyPlanButton(Session& session, StrategyFinder& finder, QWidget* parent)
    : QToolButton(parent), m_session(session), m_finder(finder) {
  setObjectName(QStringLiteral("strategyPlan"));
  setText(tr("Plan"));
  setShortcut(QKeySequence(int(Qt::ALT) | Qt::Key_Y));
  setIcon(Theme::icon(QStringLiteral("plan")));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(tr("Use as my plan"));
  connect(this, &QToolButton::clicked, this, &StrategyPlanButton::work);
  connect(&finder, &StrategyFinder::changed, this, &StrategyPlanButton::refresh);
  refresh();
}

void StrategyPlanButton::refresh() {
  const auto answer = m_finder.answer();
  const bool onMesh = answer && answer->instance->isOnMesh();
  setEnabled(onMesh && m_finder.isCurrent() && !m_finder.baselines().empty());
  setToolTip(answer && !onMesh
                 ? tr("Plan: needs the hierarchical model and a transformer; choose them under Graph and costs")
                 : tr("Plan: the cheapest compared strategy that a training framework runs, as my "
                      "configuration on the Plan page (Alt+Y). Plan also counts the buffers of communication and the "
                      "memory kept free, so that a strategy that fills the memory may not fit there"));
}

void StrategyPlanButton::work() {
  const auto answer = m_finder.answer();
  if (!answer || !answer->instance->isOnMesh()) return;
  std::vector<StrategyBaseline> strategies = m_finder.baselines();
  strategies.insert(strategies.end(), m_pipelines.begin(), m_pipelines.end());
  m_session.jobs().start<PlanOfStrategy>(
      tr("The plan of the strategy"), QStringLiteral("strategy-plan"),
      [answer, strategies, workspace = m_session.workspace()](const std::stop_token&,
                                                              const Progress&) -> Result<PlanOfStrategy> {
        P2_TRY_ASSIGN(auto made, trainingOf(*answer->instance, workspace->strategy.graph, strategies, "any"));
        P2_TRY_ASSIGN(auto training, withPlan(workspace->training, made.plan));
        return PlanOfStrategy{workspace->training, std::move(training), std::move(made.notes)};
      },
      [self = QPointer(this)](const Result<PlanOfStrategy>& made) {
        if (self) self->take(made);
      });
}

void StrategyPlanButton::take(const Result<PlanOfStrategy>& made) {
  if (!made.ok()) return emit taken(qs(made.error().text()), {});
  if (!(m_session.workspace()->training == made->before)) {
    return emit taken(tr("The training settings changed while the plan was made; press Plan again"), {});
  }
  m_session.editTraining(tr("Use the strategy as my plan"), made->training);
  QStringList notes;
  for (const std::string& note : made->notes) notes << qs(note);
  emit taken({}, notes.join(QStringLiteral("; ")));
}

}  // namespace p2::views
