// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_perspective.h"

#include <QHeaderView>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

#include "base/units.h"
#include "views/common/empty_page.h"
#include "views/common/forward_focus.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/shell/session.h"
#include "views/strategy/comparison_bars.h"
#include "views/strategy/devices_panel.h"
#include "views/strategy/graph_panel.h"
#include "views/strategy/graph_view.h"
#include "views/strategy/literal_stepper.h"
#include "views/strategy/memory_inspector.h"
#include "views/strategy/needs_panel.h"
#include "views/strategy/strategy_finder.h"
#include "views/strategy/strategy_inspector.h"
#include "views/strategy/vertex_panel.h"

namespace p2::views {
namespace {

QString text(std::string_view utf8) { return QString::fromUtf8(utf8.data(), qsizetype(utf8.size())); }

ComparisonBars::Bar barOf(const StrategyInstance& instance, const BaselineAnswer& baseline) {
  ComparisonBars::Bar bar{text(baseline.name), text(baseline.meaning), {}, QString::fromStdString(baseline.reason)};
  if (baseline.cost) {
    bar.cost = baseline.cost;
    bar.text = costText(instance, *baseline.cost);
    const Bytes needed = baseline.memory;
    if (baseline.split) {
      bar.meaning += QObject::tr(" Compute %1, reduce %2, exchange %3.")
                         .arg(costText(instance, baseline.split->compute), costText(instance, baseline.split->reduce),
                              costText(instance, baseline.split->exchange));
    }
    if (const Bytes limit = instance.deviceMemory(); limit > Bytes(0) && needed > limit) {
      bar.text += QObject::tr(", needs %1").arg(QString::fromStdString(formatBytes(needed)));
      bar.meaning += QObject::tr(" A device has %1.").arg(QString::fromStdString(formatBytes(limit)));
    }
  }
  return bar;
}

QString certaintyText(const StrategyAnswer& answer) {
  if (!answer.optimal) {
    return QObject::tr("The cheapest strategy found that fits the memory; none that fits costs less than %1.")
        .arg(costText(*answer.instance, answer.lowerBound));
  }
  if (answer.instance->onMesh) {
    return QObject::tr("The cheapest strategy of all on one mesh of up to three axes: %1.")
        .arg(meshWords(*answer.instance));
  }
  if (answer.instance->deviceMemory() == Bytes(0)) return QObject::tr("The cheapest strategy of all, found exactly.");
  return QObject::tr("The cheapest strategy of all that fit the memory, found exactly.");
}

}  // namespace

StrategyPerspective::StrategyPerspective(Session& session, QWidget* parent)
    : Perspective(parent), m_session(session), m_finder(new StrategyFinder(session, this)) {
  m_literal = new LiteralStepper(session);
  m_pages = new QTabWidget;
  m_pages->setObjectName(QStringLiteral("strategyPages"));
  m_pages->setDocumentMode(true);
  // With very large text the pages are squeezed; the window must still fit its screen.
  m_pages->setMinimumWidth(100 * Theme::kGrid);
  m_pages->addTab(makeGraphPage(), tr("&Best strategy"));
  m_pages->addTab(m_literal, tr("The &literal algorithm"));
  connect(m_literal, &LiteralStepper::exactSolverWanted, this, [this] { m_pages->setCurrentIndex(0); });
  auto* split = new QSplitter(Qt::Horizontal);
  split->setObjectName(QStringLiteral("strategySplitter"));
  split->setChildrenCollapsible(false);
  split->addWidget(makeSide());
  split->addWidget(m_pages);
  split->setStretchFactor(1, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(split);
  forwardFocus(*this, *m_graph);
  connectGraph();
  connect(m_finder, &StrategyFinder::changed, this, &StrategyPerspective::refresh);
  refresh();
}

// The table goes before its model, whose end would look like a change of selection.
StrategyPerspective::~StrategyPerspective() { delete m_table; }

QWidget* StrategyPerspective::makeSide() {
  auto* side = new QWidget;
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(0, 0, Theme::kGrid, 0);
  layout->setSpacing(Theme::kGrid);
  m_comparison = new ComparisonBars;
  m_comparison->reserve(1 + std::max(kBaselines.size(), kMappedBaselines.size()));
  layout->addWidget(new StrategyInspector(m_session));
  layout->addWidget(new MemoryInspector(m_session));
  layout->addWidget(panelTitle(tr("Compared")));
  layout->addWidget(m_comparison);
  layout->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setObjectName(QStringLiteral("strategySide"));
  scroll->setAccessibleName(tr("Costs of the strategies"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(side);
  scroll->setMinimumWidth(side->minimumSizeHint().width() + 2 * Theme::kGrid);
  return scroll;
}

QWidget* StrategyPerspective::makeGraphPage() {
  m_graph = new GraphPanel(m_session, *m_finder);
  auto* split = new QSplitter(Qt::Horizontal);
  split->setObjectName(QStringLiteral("strategyGraphSplitter"));
  split->setChildrenCollapsible(false);
  split->addWidget(m_graph);
  split->addWidget(makeDetails());
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 1);
  split->setSizes({500, 500});
  m_empty = new EmptyPage;
  connect(m_empty, &EmptyPage::clicked, this, [this] {
    if (!m_finder->problem()) return m_finder->findAgain();
    Workspace next = *m_session.workspace();
    next.strategy = {};
    m_session.edit(tr("Take the small example graph"), std::move(next));
  });
  m_stack = new QStackedWidget;
  m_stack->addWidget(m_empty);
  m_stack->addWidget(split);
  return m_stack;
}

QTableView* StrategyPerspective::makeStrategies() {
  auto* table = new QTableView;
  table->setModel(&m_strategies);
  TableSetup setup;
  setup.name = QStringLiteral("strategyList");
  setup.accessible = tr("The best strategies");
  setup.toolTip = tr("Select one to see it in the graph; what differs from the best is marked ≠");
  setUpTable(*table, setup);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (index.isValid()) showStrategy(std::size_t(index.row()));
  });
  return table;
}

void StrategyPerspective::addDetail(QWidget* widget, const QString& title, const QString& toolTip) {
  m_details->setTabToolTip(m_details->addTab(widget, title), toolTip);
}

QWidget* StrategyPerspective::makeDetails() {
  m_vertex = new VertexPanel(m_session, *m_finder);
  m_table = makeStrategies();
  m_needs = new NeedsPanel(m_session, *m_finder);
  connect(m_needs, &NeedsPanel::placementsWanted, this, [this] { emit perspectiveWanted(kPlacementsPage); });
  auto* list = new QWidget;
  panelLayout(list)->addWidget(m_table);
  m_details = new QTabWidget;
  m_details->setObjectName(QStringLiteral("strategyDetails"));
  m_details->setDocumentMode(true);
  addDetail(m_vertex, tr("Verte&x"), tr("Configurations of the selected vertex (Alt+X)"));
  addDetail(list, tr("Best &ten"), tr("The ten cheapest strategies (Alt+T)"));
  addDetail(m_needs, tr("Pl&acements"), tr("The collectives that the strategy needs, and their axes (Alt+A)"));
  addDetail(new DevicesPanel(m_session), tr("&Devices"), tr("Cost over the number of devices (Alt+D)"));
  return m_details;
}

void StrategyPerspective::connectGraph() {
  GraphView& view = m_graph->view();
  connect(&view, &GraphView::vertexSelected, this, [this](int vertex) { m_vertex->show(vertex, m_strategy); });
  connect(&view, &GraphView::vertexActivated, this, [this](int vertex) {
    m_graph->view().select(vertex);
    m_details->setCurrentWidget(m_vertex);
    m_vertex->table().setFocus();
  });
  connect(&view, &GraphView::pinToggled, m_vertex, &VertexPanel::togglePin);
}

QList<QAction*> StrategyPerspective::viewActions() { return m_graph->actions(); }

void StrategyPerspective::showEvent(QShowEvent* event) {
  Perspective::showEvent(event);
  m_finder->setActive(true);
}

void StrategyPerspective::hideEvent(QHideEvent* event) {
  Perspective::hideEvent(event);
  m_finder->setActive(false);
}

void StrategyPerspective::refresh() {
  const auto answer = m_finder->answer();
  m_stack->setCurrentIndex(answer ? 1 : 0);
  refreshEmptyPage();
  refreshComparison();
  m_strategies.setStale(!m_finder->isCurrent());
  if (m_strategies.show(answer)) m_table->selectRow(0);
  const auto instance = m_finder->instance();
  if (instance && std::exchange(m_taught, instance) != instance) {
    m_literal->setProblem(std::shared_ptr<const StrategyProblem>(instance, &instance->problem));
  }
}

void StrategyPerspective::refreshEmptyPage() {
  if (const auto problem = m_finder->problem()) {
    m_empty->say(QString::fromStdString(problem->text()), tr("Take the small example graph"));
  } else if (m_finder->isSearching()) {
    m_empty->say(tr("The best strategy appears here as soon as it is found."), {});
  } else {
    m_empty->say(tr("The search for the best strategy was stopped."), tr("Find it"));
  }
}

void StrategyPerspective::refreshComparison() {
  const auto answer = m_finder->answer();
  std::vector<ComparisonBars::Bar> bars;
  if (answer) {
    const double cost = answer->solution.strategies.front().cost;
    const QString name = answer->pins.empty() ? tr("best") : tr("best with these pins");
    bars.push_back({name, certaintyText(*answer), cost, costText(*answer->instance, cost)});
    for (const BaselineAnswer& baseline : m_finder->baselines()) bars.push_back(barOf(*m_finder->instance(), baseline));
  }
  m_comparison->setBars(std::move(bars));
  m_comparison->setStale(!m_finder->isCurrent());
}

void StrategyPerspective::showStrategy(std::size_t strategy) {
  m_strategy = strategy;
  m_graph->showStrategy(strategy);
  m_needs->showStrategy(strategy);
  m_vertex->show(m_graph->view().selected(), strategy);
}

}  // namespace p2::views
