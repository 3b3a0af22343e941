// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_perspective.h"

#include <QHeaderView>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>

#include "views/accuracy/accuracy_mark.h"
#include "views/common/empty_page.h"
#include "views/common/fold_box.h"
#include "views/common/folding_panels.h"
#include "views/common/forward_focus.h"
#include "views/common/panel.h"
#include "views/common/table.h"
#include "views/common/text.h"
#include "views/shell/pages.h"
#include "views/shell/session.h"
#include "views/shell/step_planner.h"
#include "views/strategy/comparison_bars.h"
#include "views/strategy/devices_panel.h"
#include "views/strategy/graph_panel.h"
#include "views/strategy/graph_view.h"
#include "views/strategy/literal_stepper.h"
#include "views/strategy/memory_inspector.h"
#include "views/strategy/needs_panel.h"
#include "views/strategy/operators_table.h"
#include "views/strategy/pipeline_panel.h"
#include "views/strategy/plan_graph_line.h"
#include "views/strategy/strategy_comparison.h"
#include "views/strategy/strategy_finder.h"
#include "views/strategy/strategy_inspector.h"
#include "views/strategy/strategy_plan_button.h"
#include "views/strategy/vertex_menu.h"
#include "views/strategy/vertex_panel.h"

namespace p2::views {
namespace {

// Least widths before one makes room for the other.
constexpr int kGraphRoom = 320;
constexpr int kDetailsRoom = 440;
constexpr int kPagesRoom = kGraphRoom + kDetailsRoom + 4 * Theme::kGrid;

}  // namespace

StrategyPerspective::StrategyPerspective(Session& session, QWidget* parent)
    : Perspective(parent), m_session(session), m_finder(new StrategyFinder(session, this)) {
  m_literal = new LiteralStepper(session);
  m_pages = named(new QTabWidget, "strategyPages");
  m_pages->setDocumentMode(true);
  // With very large text the pages are squeezed; the window must still fit its screen.
  m_pages->setMinimumWidth(70 * Theme::kGrid);
  m_pages->addTab(makeGraphPage(), tr("&Best strategy"));
  m_pages->addTab(m_literal, tr("The &literal algorithm"));
  connect(m_literal, &LiteralStepper::exactSolverWanted, this, [this] { m_pages->setCurrentIndex(0); });
  auto* split = splitterOf(Qt::Horizontal, {{makeSide()}, {m_pages, 1}}, "strategySplitter");
  // The form as narrow as it may be: the room is for the graph.
  split->setSizes({0, 100 * Theme::kGrid});
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(new FoldingPanels(split, {{QStringLiteral("strategySide"), tr("Compared, graph and costs"), 1},
                                              {QStringLiteral("strategyPages"), tr("Strategy"), 0, kPagesRoom}}));
  forwardFocus(*this, *m_graph);
  connectGraph();
  connect(m_finder, &StrategyFinder::changed, this, &StrategyPerspective::refresh);
  session.planner().follow(*this);
  refresh();
}

QWidget* StrategyPerspective::makeSide() {
  auto* side = new QWidget;
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(0, 0, Theme::kGrid, 0);
  layout->setSpacing(Theme::kGrid);
  m_comparison = new ComparisonBars;
  m_comparison->reserve(mostCompared());
  layout->addWidget(panelTitle(tr("Compared")));
  layout->addWidget(m_comparison);
  layout->addWidget(new AccuracyMark(m_session, AccuracyMark::Of::Machine), 0, Qt::AlignLeft);
  auto* graph =
      new FoldBox(QStringLiteral("strategyGraphBox"), tr("Graph and costs"), new StrategyInspector(m_session));
  graph->setOpen(true);
  layout->addWidget(graph);
  layout->addWidget(
      new FoldBox(QStringLiteral("strategyMemoryBox"), tr("Memory of a device"), new MemoryInspector(m_session)));
  layout->addStretch(1);
  auto* scroll = named(new QScrollArea, "strategySide", tr("Costs of the strategies"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(side);
  scroll->setMinimumWidth(side->minimumSizeHint().width() + 2 * Theme::kGrid);
  return scroll;
}

QWidget* StrategyPerspective::makeGraphPage() {
  m_graph = new GraphPanel(m_session, *m_finder);
  auto* split = splitterOf(Qt::Horizontal, {{m_graph, 1}, {makeDetails(), 1}}, "strategyGraphSplitter");
  split->setSizes({500, 500});
  m_empty = new EmptyPage;
  connect(m_empty, &EmptyPage::clicked, this, [this] {
    if (!m_finder->problem()) return m_finder->findAgain();
    Workspace next = *m_session.workspace();
    next.strategy = {};
    m_session.edit(tr("Use the small example graph"), std::move(next));
  });
  m_stack = new QStackedWidget;
  m_stack->addWidget(m_empty);
  m_stack->addWidget(new FoldingPanels(split, {{QStringLiteral("strategyGraph"), tr("Graph"), 0, kGraphRoom},
                                               {QStringLiteral("strategyDetails"), tr("Operators"), 1, kDetailsRoom}}));
  auto* line = new PlanGraphLine(m_session);
  connect(line, &PlanGraphLine::pipelineWanted, this, [this] { m_details->setCurrentWidget(m_pipeline); });
  auto* page = new QWidget;
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, Theme::kGrid / 2, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(line);
  layout->addWidget(m_stack, 1);
  return page;
}

/// All operators, and below them the ways to divide the one that is selected.
QWidget* StrategyPerspective::makeOperators() {
  m_operators = new OperatorsTable;
  m_vertex = new VertexPanel(m_session, *m_finder);
  auto* list = new QWidget;
  panelLayout(list)->addWidget(m_operators);
  auto* split = splitterOf(Qt::Vertical, {{list}, {m_vertex}}, "strategyOperatorsSplitter");
  return split;
}

QWidget* StrategyPerspective::makeStrategies() {
  auto* table = new QTableView;
  m_table = table;
  table->setModel(&m_strategies);
  TableSetup setup;
  setup.name = QStringLiteral("strategyList");
  setup.accessible = tr("The best strategies");
  setup.toolTip =
      tr("Select one to see it in the graph; what differs from the best is marked ≠. ▸ stands for several of equal "
         "cost: Enter lists them");
  setUpTable(*table, setup);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (index.isValid()) showStrategy(m_strategies.strategyAt(index.row()));
  });
  connect(table, &QTableView::activated, this, [this](const QModelIndex& index) {
    const int row = index.row();
    m_strategies.toggle(row);
    m_table->selectRow(row);
  });
  auto* list = new QWidget;
  panelLayout(list)->addWidget(table);
  return list;
}

void StrategyPerspective::addDetail(QWidget* widget, const QString& title, const QString& toolTip) {
  m_details->setTabToolTip(m_details->addTab(widget, title), toolTip);
}

QWidget* StrategyPerspective::makeDetails() {
  m_needs = new NeedsPanel(m_session, *m_finder);
  connect(m_needs, &NeedsPanel::placementsWanted, this, [this] { emit perspectiveWanted(kPlacementsPage); });
  m_details = named(new QTabWidget, "strategyDetails");
  m_details->tabBar()->setObjectName(QStringLiteral("strategyDetailsTabs"));
  m_details->setDocumentMode(true);
  m_details->setUsesScrollButtons(true);
  addDetail(makeOperators(), tr("Operators"),
            tr("All operators by cost, and the configurations of the selected one (Alt+X)"));
  const auto* key = new QShortcut(QKeySequence(Qt::ALT | Qt::Key_X), this);
  connect(key, &QShortcut::activated, this, [this] { m_details->setCurrentIndex(0); });
  addDetail(makeStrategies(), tr("Best &ten"), tr("The ten cheapest strategies (Alt+T)"));
  addDetail(m_needs, tr("Placements"), tr("The collectives that the strategy needs, and their axes"));
  addDetail(new DevicesPanel(m_session), tr("&Devices"), tr("Cost over the number of devices (Alt+D)"));
  m_pipeline = new PipelinePanel(m_session);
  connect(m_pipeline, &PipelinePanel::stagesChanged, m_graph, &GraphPanel::showStages);
  connect(m_pipeline, &PipelinePanel::comparisonChanged, this, &StrategyPerspective::refreshComparison);
  addDetail(m_pipeline, tr("Pipeline"), tr("The graph cut into the stages of a pipeline"));
  return m_details;
}

void StrategyPerspective::selectVertex(int vertex) {
  const StrategyPicture& picture = m_graph->picture();
  const bool any = vertex >= 0 && std::size_t(vertex) < picture.vertices.size();
  m_operators->select(vertex);
  m_vertex->show(any ? picture.vertices[std::size_t(vertex)].vertices : std::vector<std::size_t>(), m_strategy);
}

void StrategyPerspective::activateVertex(int vertex) {
  m_graph->view().select(vertex);
  m_details->setCurrentIndex(0);
  m_vertex->table().setFocus();
}

void StrategyPerspective::togglePin(int vertex) {
  selectVertex(vertex);
  m_vertex->togglePin();
}

void StrategyPerspective::connectGraph() {
  GraphView& view = m_graph->view();
  connect(&view, &GraphView::vertexSelected, this, &StrategyPerspective::selectVertex);
  connect(&view, &GraphView::vertexActivated, this, &StrategyPerspective::activateVertex);
  connect(&view, &GraphView::pinToggled, this, &StrategyPerspective::togglePin);
  connect(&view, &GraphView::menuWanted, this, &StrategyPerspective::showMenu);
  connect(m_graph, &GraphPanel::pictureChanged, this, &StrategyPerspective::refreshOperators);
  connect(m_graph, &GraphPanel::planTaken, this, [this] { emit perspectiveWanted(kPlanPage); });
  connectOperators();
}

void StrategyPerspective::connectOperators() {
  connect(m_operators, &OperatorsTable::vertexSelected, this, [this](int vertex) {
    if (vertex != m_graph->view().selected()) m_graph->view().select(vertex);
  });
  connect(m_operators, &OperatorsTable::vertexActivated, this, &StrategyPerspective::activateVertex);
  connect(m_operators, &OperatorsTable::pinToggled, this, &StrategyPerspective::togglePin);
  connect(m_operators, &OperatorsTable::foldToggled, m_graph, &GraphPanel::toggleFold);
  connect(m_operators, &OperatorsTable::menuWanted, this, [this](int vertex, QPoint at) { showMenu(vertex, -1, at); });
}

void StrategyPerspective::showMenu(int vertex, int frame, QPoint at) {
  auto* menu = new VertexMenu(m_graph->picture(), vertex, frame, !m_session.workspace()->strategy.pins.empty(), this);
  if (menu->isEmpty()) return delete menu;
  connect(menu, &VertexMenu::pinToggled, this, [this, vertex] { togglePin(vertex); });
  connect(menu, &VertexMenu::unpinAllWanted, m_finder, &StrategyFinder::unpinAll);
  connect(menu, &VertexMenu::configurationsWanted, this, [this, vertex] { activateVertex(vertex); });
  connect(menu, &VertexMenu::foldToggled, this, [this, vertex] { m_graph->toggleFold(vertex); });
  connect(menu, &VertexMenu::unfoldWanted, this, [this, frame] { m_graph->unfold(frame); });
  connect(menu, &VertexMenu::copyWanted, m_operators, &OperatorsTable::copy);
  menu->popup(at);
}

/// The rows are the vertices that are drawn.
void StrategyPerspective::refreshOperators() {
  const auto answer = m_finder->answer();
  if (!answer) return;
  m_operators->show(answer->instance, m_graph->picture());
  m_operators->select(m_graph->view().selected());
  selectVertex(m_graph->view().selected());
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
  m_operators->setStale(!m_finder->isCurrent());
  if (m_strategies.show(answer)) m_table->selectRow(0);
  const auto instance = m_finder->instance();
  if (instance && std::exchange(m_taught, instance) != instance) {
    m_literal->setProblem(std::shared_ptr<const StrategyProblem>(instance, &instance->problem));
  }
}

void StrategyPerspective::refreshEmptyPage() {
  if (const auto problem = m_finder->problem()) {
    m_empty->say(qs(problem->text()), tr("Use the small example graph"));
  } else if (m_finder->isSearching()) {
    m_empty->say(tr("The best strategy appears here as soon as it is found."), {});
  } else {
    m_empty->say(tr("The search for the best strategy was stopped."), tr("Find it"));
  }
}

void StrategyPerspective::refreshComparison() {
  auto bars = comparisonOf(*m_finder);
  // The first is what all others are measured against.
  if (!bars.empty()) bars.insert(bars.end(), m_pipeline->bars().begin(), m_pipeline->bars().end());
  m_graph->planButton().setPipelines(m_pipeline->baselines());
  m_comparison->setBars(std::move(bars));
  m_comparison->setStale(!m_finder->isCurrent());
}

void StrategyPerspective::showStrategy(std::size_t strategy) {
  m_strategy = strategy;
  m_graph->showStrategy(strategy);
  m_needs->showStrategy(strategy);
  selectVertex(m_graph->view().selected());
}

}  // namespace p2::views
