// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/vertex_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <algorithm>

#include "views/common/cell_delegate.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/strategy/strategy_costs.h"
#include "views/strategy/strategy_finder.h"

namespace p2::views {
namespace {

/// Cells that may be computed for the best totals of one vertex: some seconds of work.
constexpr double kMostTotalCells = 2e9;

/// The cost of the best strategy for every configuration of equal vertices, with the other pins.
Result<std::vector<double>> bestTotals(const StrategyAnswer& answer, const std::vector<std::size_t>& vertices,
                                       const std::stop_token& stop, const Progress& progress) {
  const StrategyProblem& problem = answer.instance->problem;
  SolveOptions options;
  options.pinned = answer.pins;
  options.pinned.resize(problem.vertices.size());
  std::vector<double> totals;
  const std::size_t domain = problem.vertices[vertices.front()].domain;
  const std::size_t count = problem.domains[domain].configurations.size();
  for (std::size_t i = 0; i < count; ++i) {
    // A copy that is pinned on a mesh has a domain of its own.
    for (const std::size_t vertex : vertices) {
      if (problem.vertices[vertex].domain == domain) options.pinned[vertex] = i;
    }
    P2_TRY_ASSIGN(const auto solution, solveExactly(problem, options, stop));
    totals.push_back(solution.strategies.front().cost);
    if (progress) progress(double(i + 1) / double(count));
  }
  return totals;
}

}  // namespace

VertexPanel::VertexPanel(Session& session, StrategyFinder& finder, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_finder(finder),
      m_totals(session.jobs(),
               [](const TotalsQuestion& question, const std::stop_token& stop, const Progress& progress) {
                 return bestTotals(*question.answer, question.vertices, stop, progress);
               }) {
  connect(&m_totals, &DerivedBase::changed, this, [this] {
    if (m_totals.isCurrent()) refresh();
  });
  m_title = panelTitle({});
  wrapped(named(m_title, "strategyVertexTitle"));
  makeTable();
  m_note = new QLabel;
  wrapped(named(m_note, "strategyVertexNote"));
  m_unpin =
      makeButton("strategyUnpin", tr("Unp&in"), tr("Unpin: let this vertex choose again (Alt+I, or P in the graph)"));
  m_unpinAll = makeButton("strategyUnpinAll", tr("U&npin all"), tr("Unpin all: let every vertex choose again (Alt+N)"));
  auto* buttons = new QHBoxLayout;
  buttons->addStretch();
  buttons->addWidget(m_unpin);
  buttons->addWidget(m_unpinAll);
  QVBoxLayout* layout = panelLayout(this);
  layout->addWidget(m_title);
  layout->addWidget(m_table, 1);
  layout->addWidget(m_note);
  layout->addLayout(buttons);
  connect(&m_model, &ConfigurationsModel::pinWanted, this,
          [this](int, std::optional<std::size_t> configuration) { pinTo(configuration); });
  connect(m_unpin, &QPushButton::clicked, this, [this] { pinTo(std::nullopt); });
  connect(m_unpinAll, &QPushButton::clicked, &m_finder, &StrategyFinder::unpinAll);
  connect(&finder, &StrategyFinder::changed, this, &VertexPanel::refresh);
  refresh();
}

void VertexPanel::makeTable() {
  m_proxy.setSourceModel(&m_model);
  m_proxy.setSortRole(ConfigurationsModel::kSortRole);
  m_table = new QTableView;
  m_table->setModel(&m_proxy);
  m_table->setItemDelegate(new CellDelegate(m_table));
  TableSetup setup;
  setup.name = QStringLiteral("strategyConfigurations");
  setup.accessible = tr("Configurations of the selected vertex");
  setup.toolTip = tr("Space, Enter or double click: pin the vertex to this configuration and solve again");
  setup.fitted = true;
  setup.sortedBy = ConfigurationsModel::CostColumn;
  setUpTable(*m_table, setup);
  m_table->horizontalHeader()->setStretchLastSection(true);
  connect(m_table, &QTableView::activated, this, &VertexPanel::pin);
}

QPushButton* VertexPanel::makeButton(const char* name, const QString& text, const QString& toolTip) {
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(toolTip);
  button->setAccessibleName(QString(text).remove('&'));
  return button;
}

void VertexPanel::show(std::vector<std::size_t> vertices, std::size_t strategy) {
  const bool other = m_vertices != vertices;
  m_vertices = std::move(vertices);
  m_strategy = strategy;
  refresh();
  if (!other || m_vertices.empty()) return;
  const QModelIndex chosen = m_proxy.mapFromSource(m_model.index(int(m_model.state().chosen), 0));
  m_table->setCurrentIndex(chosen);
  m_table->scrollTo(chosen, QAbstractItemView::PositionAtCenter);
}

void VertexPanel::togglePin() {
  const bool pinned = m_model.state().pinned.has_value();
  pinTo(pinned ? std::nullopt : std::optional(m_model.state().chosen));
}

void VertexPanel::pin(const QModelIndex& index) { pinTo(std::size_t(m_proxy.mapToSource(index).row())); }

void VertexPanel::pinTo(std::optional<std::size_t> configuration) {
  // The shown graph may be about to be replaced.
  if (m_model.state().vertex < 0 || m_model.state().instance != m_finder.instance()) return;
  const ConfigurationDomain& domain = m_finder.instance()->problem.domainOf(m_vertices.front());
  m_finder.pin(m_vertices, configuration ? std::optional(domain.configurations[*configuration]) : std::nullopt);
}

void VertexPanel::refresh() {
  const auto answer = m_finder.answer();
  const bool any = answer && !m_vertices.empty() &&
                   *std::max_element(m_vertices.begin(), m_vertices.end()) < answer->instance->problem.vertices.size();
  ConfigurationsModel::State state;
  if (any) {
    const std::size_t vertex = m_vertices.front();
    state.instance = answer->instance;
    state.vertex = int(vertex);
    state.chosen =
        answer->solution.strategies[std::min(m_strategy, answer->solution.strategies.size() - 1)].choice[vertex];
    if (!answer->pins.empty()) state.pinned = answer->pins[vertex];
    if (m_totals.isCurrent() && m_totals.question() == TotalsQuestion{answer, m_vertices}) {
      state.totals = *m_totals.answer();
    }
    const QString name = qs(answer->instance->problem.vertices[vertex].name);
    const QString kind = kindOf(*answer->instance, vertex);
    QString title = kind.isEmpty() ? name : name + " · " + kind;
    if (m_vertices.size() > 1) title += tr(" · and %1 like it").arg(m_vertices.size() - 1);
    m_title->setText(title);
  } else {
    m_title->setText(tr("No vertex selected"));
  }
  m_unpin->setEnabled(state.pinned.has_value());
  m_unpinAll->setEnabled(!m_session.workspace()->strategy.pins.empty());
  m_model.show(std::move(state));
  m_table->setColumnHidden(ConfigurationsModel::DevicesColumn, !m_model.devicesDiffer());
  m_model.setStale(!m_finder.isCurrent());
  m_note->setText(any ? noteOf(*answer) : tr("Click a vertex of the graph, or walk there with the arrow keys."));
  m_note->setVisible(!m_note->text().isEmpty());
  refreshTotals();
}

QString VertexPanel::noteOf(const StrategyAnswer& answer) const {
  QStringList sentences{placeWords(*answer.instance, m_vertices.front(), m_model.state().chosen), pinText(answer),
                        tiesText()};
  if (!totalsAreCheap()) sentences << tr("Best totals are not computed: they would take long on this graph.");
  if (totalsAreCheap() && answer.instance->deviceMemory() > Bytes(0)) {
    sentences << tr("Best totals ignore the memory limit.");
  }
  sentences.removeAll(QString());
  return sentences.join(' ');
}

QString VertexPanel::pinText(const StrategyAnswer& answer) const {
  const ConfigurationsModel::State& state = m_model.state();
  if (!state.pinned) return {};
  if (answer.instance->onMesh) return tr("Pinned: only this split is priced on meshes; unpin to see the others.");
  if (state.totals.empty()) return {};
  const double free = *std::min_element(state.totals.begin(), state.totals.end());
  return tr("This pin: %1.").arg(overFreeText(state.totals[*state.pinned], free));
}

QString VertexPanel::tiesText() const {
  const ConfigurationsModel::State& state = m_model.state();
  if (state.totals.empty() || state.ties() < 2) return {};
  return tr("%1 configurations give the same best total (marked =).").arg(state.ties());
}

bool VertexPanel::totalsAreCheap() const {
  const auto answer = m_finder.answer();
  const std::size_t count = answer->instance->problem.domainOf(m_vertices.front()).configurations.size();
  return double(answer->solution.statistics.cells) * double(count) <= kMostTotalCells;
}

void VertexPanel::refreshTotals() {
  const auto answer = m_finder.answer();
  if (!m_finder.isCurrent() || m_model.state().vertex < 0 || !totalsAreCheap()) return m_totals.withdraw();
  m_totals.ask(tr("Best totals of the vertex"), {answer, m_vertices});
}

}  // namespace p2::views
