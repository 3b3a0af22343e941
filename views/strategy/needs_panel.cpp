// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/needs_panel.h"

#include <QHeaderView>
#include <QPushButton>
#include <QTableView>

#include "views/common/inline_message.h"
#include "views/common/matrix_painter.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/strategy/strategy_finder.h"

namespace p2::views {

NeedsPanel::NeedsPanel(Session& session, StrategyFinder& finder, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_finder(finder),
      m_needs(session.jobs(),
              [](const Question& question, const std::stop_token& stop,
                 const Progress&) -> Result<std::vector<StrategyNeed>> {
                const StrategyAnswer& answer = *question.answer;
                P2_TRY_ASSIGN(auto prices, StrategyPrices::of(*answer.instance, stop));
                return needsOf(*answer.instance, answer.solution.strategies[question.rank], prices);
              }) {
  makeTable();
  m_message = named(new InlineMessage, "strategyNeedsMessage");
  m_carry = named(new QPushButton(tr("Place these axes")), "strategyCarry", tr("Place these axes"));
  QVBoxLayout* layout = panelLayout(this);
  layout->addWidget(m_table, 1);
  layout->addWidget(m_message);
  layout->addWidget(m_carry, 0, Qt::AlignRight);
  connect(m_carry, &QPushButton::clicked, this, &NeedsPanel::carry);
  connect(&finder, &StrategyFinder::changed, this, &NeedsPanel::refresh);
  connect(&m_needs, &DerivedBase::changed, this, &NeedsPanel::follow);
  refresh();
}

void NeedsPanel::makeTable() {
  m_table = new QTableView;
  m_table->setModel(&m_model);
  m_table->setItemDelegateForColumn(NeedsModel::PlacementColumn, new MatrixDelegate(m_table));
  TableSetup setup;
  setup.name = QStringLiteral("strategyNeeds");
  setup.accessible = tr("Collectives that the strategy needs");
  setup.toolTip = tr("Enter or a double click shows the placements of these axes");
  setUpTable(*m_table, setup);
  m_table->horizontalHeader()->setStretchLastSection(true);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &NeedsPanel::refreshButton);
  connect(m_table, &QTableView::activated, this, &NeedsPanel::carry);
}

void NeedsPanel::showStrategy(std::size_t strategy) {
  m_strategy = strategy;
  if (m_needs.wasCancelled()) m_needs.withdraw();
  refresh();
}

void NeedsPanel::refresh() {
  if (m_finder.isCurrent()) {
    const auto answer = m_finder.answer();
    m_needs.ask(tr("Placing the strategy's reductions"),
                {answer, std::min(m_strategy, answer->solution.strategies.size() - 1)});
  }
  m_model.setStale(!m_finder.isCurrent() || !m_needs.isCurrent());
  refreshButton();
}

void NeedsPanel::follow() {
  m_model.setStale(!m_finder.isCurrent() || !m_needs.isCurrent());
  if (const auto needs = m_needs.current()) return showNeeds(*needs);
  if (m_needs.wasCancelled()) m_message->say(InlineMessage::Kind::Note, tr("Stopped; choose the strategy again."));
  if (!m_needs.problem()) return;
  m_message->showProblem(qs(m_needs.problem()->text()));
  m_model.show({});
}

void NeedsPanel::showNeeds(const std::vector<StrategyNeed>& needs) {
  m_model.show(needs);
  QString note;
  if (needs.empty()) {
    note = m_needs.question()->answer->instance->graph
               ? tr("This strategy needs no collectives within its operators.")
               : tr("Cost tables do not say which collectives a strategy needs.");
  }
  m_message->say(InlineMessage::Kind::Note, note);
  m_table->resizeColumnsToContents();
  m_table->resizeRowsToContents();
  m_table->selectRow(0);
  refreshButton();
}

void NeedsPanel::refreshButton() {
  const StrategyNeed* need = m_model.at(m_table->currentIndex().row());
  m_carry->setEnabled(need && m_finder.isCurrent());
  m_carry->setToolTip(need ? tr("Make them the workspace's axes and see their placements (Enter in the table)")
                           : tr("Select a collective first"));
}

void NeedsPanel::carry() {
  const StrategyNeed* need = m_model.at(m_table->currentIndex().row());
  if (!need || !m_finder.isCurrent()) return;
  Workspace next = *m_session.workspace();
  auto axes = axesOn(*need, next.system.deviceCount());
  if (!axes.ok()) return m_message->showProblem(qs(axes.error().text()));
  next.axes = std::move(axes).value();
  // One of them, as the list has it: the same number is to be found there.
  next.options.cost.bytes = std::max(Bytes(1), need->largest);
  next.options.cost.repeat = 1;
  if (const auto goal = goalFrom(need->collective); goal.ok()) next = withGoal(std::move(next), *goal);
  next.matrix = next.axes.size() == need->axes.size() ? need->matrix : ParallelismMatrix();
  m_session.edit(tr("Place the axes of %1").arg(qs(need->operators.front())), std::move(next));
  emit placementsWanted();
}

}  // namespace p2::views
