// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_workload_button.h"

#include <QPointer>
#include <algorithm>

#include "views/common/theme.h"
#include "views/shell/session.h"
#include "views/strategy/strategy_finder.h"
#include "views/strategy/workload_taking.h"

namespace p2::views {

StrategyWorkloadButton::StrategyWorkloadButton(Session& session, StrategyFinder& finder, QWidget* parent)
    : QToolButton(parent), m_session(session), m_finder(finder) {
  setObjectName(QStringLiteral("strategyWorkload"));
  setText(tr("&Workload"));
  setIcon(Theme::icon(QStringLiteral("workload")));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setFocusPolicy(Qt::TabFocus);
  setAccessibleName(tr("Use as workload"));
  connect(this, &QToolButton::clicked, this, &StrategyWorkloadButton::work);
  connect(&finder, &StrategyFinder::changed, this, &StrategyWorkloadButton::refresh);
  refresh();
}

void StrategyWorkloadButton::refresh() {
  const auto answer = m_finder.answer();
  const bool hasGraph = answer && answer->instance->graph;
  setEnabled(hasGraph && m_finder.isCurrent());
  setToolTip(answer && !hasGraph ? tr("Workload: cost tables do not describe communication; a graph does")
                                 : tr("Workload: rank placements by the communication of a training step under "
                                      "this strategy; the document gets its "
                                      "axes (Alt+W)"));
}

void StrategyWorkloadButton::work() {
  const auto answer = m_finder.answer();
  if (!answer || !answer->instance->graph) return;
  const std::size_t shown = std::min(m_strategy, answer->solution.strategies.size() - 1);
  m_session.jobs().start<WorkloadSource>(
      tr("The workload of the strategy"), QStringLiteral("strategy-workload"),
      [answer, shown](const std::stop_token&, const Progress&) {
        return workloadOf(*answer->instance, answer->solution.strategies[shown]);
      },
      [self = QPointer(this)](const Result<WorkloadSource>& source) {
        if (self) self->take(source);
      });
}

void StrategyWorkloadButton::take(const Result<WorkloadSource>& source) {
  const TakenWorkload result = takeWorkload(m_session, tr("Use the strategy as workload"), source);
  emit taken(result.problem, result.what);
}

}  // namespace p2::views
