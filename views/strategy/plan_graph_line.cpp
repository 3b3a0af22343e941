// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/plan_graph_line.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/strategy/plan_graph.h"

namespace p2::views {

PlanGraphLine::PlanGraphLine(Session& session, QWidget* parent)
    : QFrame(parent), m_session(session), m_text(new QLabel), m_button(new QToolButton) {
  setObjectName(QStringLiteral("planGraphLine"));
  wrapped(named(m_text, "planGraphText"));
  m_button->setObjectName(QStringLiteral("planGraphButton"));
  m_button->setFocusPolicy(Qt::TabFocus);
  m_button->setText(tr("Show the model"));
  m_button->setToolTip(tr("The graph of the document's model"));
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(Theme::kGrid, 0, Theme::kGrid, Theme::kGrid / 2);
  line->setSpacing(Theme::kGrid);
  line->addWidget(m_text, 1);
  line->addWidget(m_button);
  connect(m_button, &QToolButton::clicked, this, &PlanGraphLine::work);
  connect(&session, &Session::workspaceChanged, this, &PlanGraphLine::refresh);
  connect(&session, &Session::trainingChanged, this, &PlanGraphLine::refresh);
  refresh();
}

void PlanGraphLine::takePlan(Session& session) {
  Workspace next = *session.workspace();
  auto taken = graphOfPlan(next, session.planner().shown());
  if (!taken) return;
  next.strategy = std::move(*taken);
  session.edit(tr("Take the plan's model"), std::move(next));
}

void PlanGraphLine::refresh() {
  const auto document = m_session.workspace();
  const PlannedConfiguration* planned = m_session.planner().shown();
  const auto taken = graphOfPlan(*document, planned);
  m_taken = taken && taken->graph == document->strategy.graph;
  m_button->setEnabled(m_taken || isPlanned(m_session.planner()));
  const std::int64_t stages = planned ? planned->configuration.plan.pipeline : 1;
  setVisible(taken && (!m_taken || stages > 1));
  if (!taken) return;
  if (m_taken) {
    m_text->setText(tr("The strategy below has no pipeline stages; the plan has %1.").arg(stages));
    m_button->setText(tr("Pipeline"));
    m_button->setToolTip(tr("Go to the pipeline of this graph"));
  } else {
    m_text->setText(tr("This is the graph %1, not the document's model, %2.")
                        .arg(QFileInfo(qs(document->strategy.graph)).fileName(), qs(document->training.model)));
    m_button->setText(tr("Show %1").arg(qs(document->training.model)));
    m_button->setToolTip(m_button->isEnabled()
                             ? tr("The graph of the document's model, on its cluster, with batch, "
                                  "ZeRO stage, microbatches and stages of the plan")
                             : tr("The plan of %1 is being computed").arg(qs(document->training.model)));
  }
  m_button->setAccessibleName(m_button->text());
}

void PlanGraphLine::work() {
  if (m_taken) return emit pipelineWanted();
  takePlan(m_session);
}

}  // namespace p2::views
