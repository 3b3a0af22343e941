// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/graph_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "views/common/forward_focus.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/shell/session.h"
#include "views/strategy/graph_view.h"
#include "views/strategy/strategy_export_button.h"
#include "views/strategy/strategy_finder.h"
#include "views/strategy/strategy_workload_button.h"

namespace p2::views {
namespace {

constexpr double kAspect = 1.2;  // of the room the graph usually has

GraphShape shapeOf(const StrategyProblem& problem) {
  GraphShape shape;
  shape.nodes.assign(problem.vertices.size(), GraphView::kVertexSize);
  for (const StrategyProblem::Edge& edge : problem.edges) shape.edges.push_back({edge.from, edge.to});
  return shape;
}

}  // namespace

GraphPanel::GraphPanel(Session& session, StrategyFinder& finder, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_finder(finder),
      m_view(new GraphView),
      m_layout(session.jobs(), [](const GraphShape& shape, std::stop_token stop, const Progress&) {
        return layoutGraph(shape, kAspect, std::move(stop));
      }) {
  m_note = new InlineMessage;
  m_note->setObjectName(QStringLiteral("strategyNote"));
  m_written = new InlineMessage;
  m_written->setObjectName(QStringLiteral("strategyWritten"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, Theme::kGrid, Theme::kGrid, 0);
  layout->setSpacing(Theme::kGrid);
  QWidget* toolbar = makeToolbar();
  // A line of its own: beside the buttons large text would have no room.
  layout->addWidget(m_headline);
  layout->addWidget(toolbar);
  layout->addWidget(m_written);
  layout->addWidget(m_note);
  layout->addWidget(m_view, 1);
  forwardFocus(*this, *m_view);
  connect(&finder, &StrategyFinder::changed, this, &GraphPanel::refresh);
  connect(&m_layout, &DerivedBase::changed, this, &GraphPanel::followLayout);
  refresh();
}

QWidget* GraphPanel::makeToolbar() {
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Theme::kGrid);
  m_headline = panelTitle({});
  m_headline->setObjectName(QStringLiteral("strategyHeadline"));
  m_headline->setWordWrap(true);
  row->addStretch(1);
  addZoom(*row, "strategyZoomIn", tr("Zoom in"), "zoom-in", {Qt::Key_Plus, Qt::Key_Equal}, &GraphView::zoomIn);
  addZoom(*row, "strategyZoomOut", tr("Zoom out"), "zoom-out", {Qt::Key_Minus}, &GraphView::zoomOut);
  addZoom(*row, "strategyFit", tr("Show all"), "zoom-fit", {Qt::Key_0}, &GraphView::fit);
  addFindAgain(*row);
  m_workload = new StrategyWorkloadButton(m_session, m_finder);
  connect(m_workload, &StrategyWorkloadButton::taken, this, [this](const QString& problem, const QString& what) {
    m_written->say(problem.isEmpty() ? InlineMessage::Kind::Good : InlineMessage::Kind::Problem,
                   problem.isEmpty() ? tr("this is the document's workload now: %1").arg(what) : problem);
  });
  row->addWidget(m_workload);
  m_export = new StrategyExportButton(m_session, m_finder);
  connect(m_export, &StrategyExportButton::written, this, [this](const QString& problem, const QString& path) {
    m_written->say(problem.isEmpty() ? InlineMessage::Kind::Good : InlineMessage::Kind::Problem,
                   problem.isEmpty() ? tr("written to %1").arg(path) : problem);
  });
  row->addWidget(m_export);
  return bar;
}

void GraphPanel::addZoom(QBoxLayout& row, const QString& name, const QString& text, const QString& icon,
                         const QList<QKeySequence>& keys, void (GraphView::*slot)()) {
  auto* action = new QAction(Theme::icon(icon), text, this);
  action->setObjectName(name + "Action");
  action->setShortcuts(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(tr("%1 (%2)").arg(text, keys.first().toString(QKeySequence::NativeText)));
  connect(action, &QAction::triggered, m_view, slot);
  addAction(action);
  m_actions << action;
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setObjectName(name + "Button");
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(text);
  row.addWidget(button);
}

void GraphPanel::addFindAgain(QBoxLayout& row) {
  auto* action = new QAction(tr("Find again"), this);
  action->setObjectName(QStringLiteral("strategyAgainAction"));
  action->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F5));
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(tr("Read the graph anew and find its best strategies (Shift+F5)"));
  connect(action, &QAction::triggered, &m_finder, &StrategyFinder::findAgain);
  addAction(action);
  m_actions << action;
  auto* button = new QToolButton;
  button->setDefaultAction(action);
  button->setObjectName(QStringLiteral("strategyAgainButton"));
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(action->text());
  row.addWidget(button);
}

void GraphPanel::showStrategy(std::size_t strategy) {
  m_strategy = strategy;
  m_workload->setStrategy(strategy);
  m_export->setStrategy(strategy);
  refreshWords();
  showGraph();
}

void GraphPanel::refresh() {
  refreshWords();
  refreshNote();
  layOut();
  showGraph();
}

void GraphPanel::refreshWords() {
  const auto answer = m_finder.answer();
  if (!answer) return m_headline->clear();
  const auto& strategies = answer->solution.strategies;
  const std::size_t shown = std::min(m_strategy, strategies.size() - 1);
  const QString cost = costText(*answer->instance, strategies[shown].cost);
  const QString best = answer->optimal ? tr("Best strategy") : tr("Best strategy found");
  const bool all = unpricedWords(*answer->instance).isEmpty();
  const QString name = shown > 0 ? tr("Strategy %1").arg(shown + 1)
                       : all     ? best
                                 : tr("%1 for what is priced").arg(best);
  const auto devices = answer->instance->problem.devices;
  QString text =
      devices == 1 ? tr("%1: %2 on 1 device").arg(name, cost) : tr("%1: %2 on %3 devices").arg(name, cost).arg(devices);
  const QString memory = memoryText(*answer->instance, strategies[shown]);
  if (!memory.isEmpty()) text += tr(", %1 each").arg(memory);
  const QString mesh = meshWords(*answer->instance);
  if (!mesh.isEmpty()) text += tr(" · mesh %1").arg(mesh);
  m_headline->setToolTip(memoryParts(*answer->instance, strategies[shown]));
  // Here, where it moves nothing: most searches are over in a blink.
  if (!m_finder.isCurrent() && m_finder.isSearching()) text += tr(" · computing …");
  m_headline->setText(text);
}

void GraphPanel::refreshNote() {
  const QStringList unknown = m_finder.unknownPins();
  if (const auto problem = m_finder.problem()) {
    m_note->showProblem(QString::fromStdString(problem->text()));
  } else if (m_layout.problem()) {
    m_note->showProblem(QString::fromStdString(m_layout.problem()->text()));
  } else if (m_layout.wasCancelled()) {
    m_note->say(InlineMessage::Kind::Note, tr("Drawing the graph was stopped; find the strategy again to draw it."));
  } else if (m_finder.answer() && !m_finder.isCurrent() && !m_finder.isSearching() && isVisible()) {
    m_note->say(InlineMessage::Kind::Note, tr("Stopped; this is the strategy from before."));
  } else if (!unknown.isEmpty()) {
    m_note->say(
        InlineMessage::Kind::Note,
        tr("Left aside: the pins of %1, which do not fit this graph and these devices.").arg(unknown.join(", ")));
  } else if (const auto instance = m_finder.instance(); instance && !instance->warnings.isEmpty()) {
    m_note->say(InlineMessage::Kind::Note, instance->warnings.join(QStringLiteral(" ")));
  } else {
    m_note->showProblem({});
  }
}

void GraphPanel::layOut() {
  const auto instance = m_finder.instance();
  if (!instance) return;
  if (m_layout.wasCancelled() && m_finder.isSearching()) m_layout.withdraw();
  m_layout.ask(tr("Drawing the graph"), shapeOf(instance->problem));
}

void GraphPanel::followLayout() {
  refreshNote();
  if (!m_layout.isCurrent()) return;
  m_fresh = true;
  showGraph();
}

void GraphPanel::showGraph() {
  const auto answer = m_finder.answer();
  const auto layout = m_layout.answer();
  if (!answer || !layout) return;
  m_view->setStale(!m_finder.isCurrent());
  if (shapeOf(answer->instance->problem) != m_layout.answered()) return;
  const auto& strategies = answer->solution.strategies;
  const Strategy& shown = strategies[std::min(m_strategy, strategies.size() - 1)];
  StrategyPicture picture = pictureOf(*answer->instance, answer->pins, shown, strategies.front());
  if (std::exchange(m_fresh, false)) {
    const auto dearest = std::max_element(picture.vertices.begin(), picture.vertices.end(),
                                          [](const auto& a, const auto& b) { return a.share < b.share; });
    const int first = int(dearest - picture.vertices.begin());
    m_view->setGraph(*layout, std::move(picture));
    if (m_view->vertexCount() > 0) m_view->select(first);
  } else {
    m_view->setPicture(std::move(picture));
  }
}

}  // namespace p2::views
