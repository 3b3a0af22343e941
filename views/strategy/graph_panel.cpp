// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/graph_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

#include "base/units.h"
#include "views/common/forward_focus.h"
#include "views/common/inline_message.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/shell/session.h"
#include "views/strategy/graph_view.h"
#include "views/strategy/strategy_costs.h"
#include "views/strategy/strategy_export_button.h"
#include "views/strategy/strategy_finder.h"
#include "views/strategy/strategy_instance.h"
#include "views/strategy/strategy_plan_button.h"
#include "views/strategy/strategy_workload_button.h"
#include "views/strategy/workload_taking.h"

namespace p2::views {
namespace {

constexpr double kAspect = 1.2;  // width over height of the graph's room

/// Devices of the most divided operators.
double mostDevices(const StrategyProblem& problem, const std::vector<std::size_t>& choice) {
  double most = 1;
  for (std::size_t v = 0; v < choice.size(); ++v) {
    most = std::max(most, devicesOf(problem.domainOf(v).configurations[choice[v]]));
  }
  return most;
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
  m_note = named(new InlineMessage, "strategyNote");
  m_written = named(new InlineMessage, "strategyWritten");
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, 0);
  layout->setSpacing(Theme::kGrid);
  QWidget* toolbar = makeToolbar();
  // A line of its own: next to the buttons large text would have no room.
  layout->addWidget(m_headline);
  layout->addWidget(toolbar);
  layout->addWidget(m_written);
  layout->addWidget(m_note);
  layout->addWidget(m_view, 1);
  forwardFocus(*this, *m_view);
  connect(m_view, &GraphView::foldToggled, this, &GraphPanel::toggleFold);
  connect(m_view, &GraphView::unfoldWanted, this, &GraphPanel::unfold);
  connect(&finder, &StrategyFinder::changed, this, &GraphPanel::refresh);
  connect(&m_layout, &DerivedBase::changed, this, &GraphPanel::followLayout);
  refresh();
}

QWidget* GraphPanel::makeToolbar() {
  auto* bar = new QWidget;
  auto* row = bareLayout<QHBoxLayout>(bar, Theme::kGrid);
  m_headline = panelTitle({});
  wrapped(named(m_headline, "strategyHeadline"));
  row->addStretch(1);
  addZoom(*row, "strategyZoomIn", tr("Zoom in"), "zoom-in", {Qt::Key_Plus, Qt::Key_Equal}, &GraphView::zoomIn);
  addZoom(*row, "strategyZoomOut", tr("Zoom out"), "zoom-out", {Qt::Key_Minus}, &GraphView::zoomOut);
  addZoom(*row, "strategyFit", tr("Show all"), "zoom-fit", {Qt::Key_0}, &GraphView::fit);
  addFold(*row);
  addFindAgain(*row);
  m_workload = new StrategyWorkloadButton(m_session, m_finder);
  connect(m_workload, &StrategyWorkloadButton::taken, this, [this](const QString& problem, const QString& what) {
    sayTaken(m_session, *m_written, {problem, what});
  });
  row->addWidget(m_workload);
  m_plan = new StrategyPlanButton(m_session, m_finder);
  connect(m_plan, &StrategyPlanButton::taken, this, [this](const QString& problem, const QString& notes) {
    if (!problem.isEmpty()) return m_written->showProblem(problem);
    m_written->say(InlineMessage::Kind::Note, notes);
    emit planTaken();
  });
  row->addWidget(m_plan);
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
  addButton(row, *action, name + "Button");
}

QToolButton* GraphPanel::addButton(QBoxLayout& row, QAction& action, const QString& name) {
  addAction(&action);
  m_actions << &action;
  auto* button = new QToolButton;
  button->setDefaultAction(&action);
  button->setObjectName(name);
  button->setAutoRaise(!action.icon().isNull());
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(action.text());
  row.addWidget(button);
  return button;
}

void GraphPanel::addFold(QBoxLayout& row) {
  m_fold = named(new QAction(tr("Fold"), this), "strategyFoldAction");
  m_fold->setCheckable(true);
  m_fold->setChecked(true);
  m_fold->setEnabled(false);
  m_fold->setToolTip(tr("Fold: no part of this graph repeats"));
  m_fold->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F));
  m_fold->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  connect(m_fold, &QAction::toggled, this, &GraphPanel::setFolded);
  addButton(row, *m_fold, QStringLiteral("strategyFoldButton"));
}

void GraphPanel::addFindAgain(QBoxLayout& row) {
  auto* action = named(new QAction(tr("Find again"), this), "strategyAgainAction");
  action->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_F5));
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(tr("Read the graph again and find its best strategies (Shift+F5)"));
  connect(action, &QAction::triggered, &m_finder, &StrategyFinder::findAgain);
  m_again = addButton(row, *action, QStringLiteral("strategyAgainButton"));
}

/// Where there is no room for words, icons say it, and tooltips.
void GraphPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int words = fontMetrics().horizontalAdvance(m_workload->text() + m_plan->text() + m_export->text());
  const bool narrow = width() < words + 42 * Theme::kGrid;
  const auto style = narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon;
  for (QToolButton* button : {static_cast<QToolButton*>(m_workload), static_cast<QToolButton*>(m_plan),
                              static_cast<QToolButton*>(m_export)}) {
    button->setToolButtonStyle(style);
  }
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
  refreshFold();
  layOut();
  showGraph();
}

void GraphPanel::showStages(const std::vector<std::size_t>& stages) {
  m_stages = stages;
  showGraph();
}

const StrategyPicture& GraphPanel::picture() const { return m_view->picture(); }

/// Another graph begins folded; a graph that is priced again stays as it is.
void GraphPanel::refreshFold() {
  const auto instance = m_finder.instance();
  if (!instance || instance->repeats == m_repeats) return;
  m_repeats = instance->repeats;
  m_open.assign(m_repeats.size(), false);
  const QSignalBlocker blocker(m_fold);
  m_fold->setChecked(true);
  m_fold->setEnabled(!m_repeats.empty());
  m_fold->setToolTip(
      m_repeats.empty()
          ? tr("Fold: no part of this graph repeats")
          : tr("Fold: repeated parts as one, or each by itself (Shift+F; F: the part of the selected vertex)"));
}

void GraphPanel::setFolded(bool all) {
  for (std::size_t repeat = 0; repeat < m_repeats.size(); ++repeat) setOpen(repeat, !all);
}

void GraphPanel::setOpen(std::size_t repeat, bool open) {
  if (m_open[repeat] == open) return;
  m_open[repeat] = open;
  const int selected = m_view->selected();
  if (selected >= 0) m_kept = picture().vertices[std::size_t(selected)].vertices.front();
  const QSignalBlocker blocker(m_fold);
  m_fold->setChecked(std::find(m_open.begin(), m_open.end(), false) != m_open.end());
  layOut();
  showGraph();
}

void GraphPanel::toggleFold(int vertex) {
  const auto answer = m_finder.answer();
  if (!answer || answer->instance->repeats != m_repeats) return;
  const auto repeat = picture().vertices[std::size_t(vertex)].repeat;
  if (repeat) setOpen(*repeat, !m_open[*repeat]);
}

void GraphPanel::unfold(int frame) {
  const std::size_t repeat = picture().frames[std::size_t(frame)].repeat;
  if (repeat < m_open.size()) setOpen(repeat, true);
}

FoldedGraph GraphPanel::foldedOf(const StrategyInstance& instance) const {
  const bool known = instance.repeats == m_repeats;
  return foldedGraph(instance.problem, instance.graph ? &*instance.graph : nullptr, instance.repeats,
                     known ? m_open : std::vector<bool>(instance.repeats.size(), false));
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
                                 : tr("%1 of the priced operators").arg(best);
  const auto devices = answer->instance->problem.devices;
  const bool isFlat = answer->instance->graph && answer->instance->options.model == StrategyCostModel::Flat;
  const double busy = isFlat ? mostDevices(answer->instance->problem, strategies[shown].choice) : double(devices);
  QString text = devices == 1             ? tr("%1: %2 on 1 device").arg(name, cost)
                 : busy < double(devices) ? tr("%1: %2 on %3 of %4 devices").arg(name, cost).arg(busy).arg(devices)
                                          : tr("%1: %2 on %3 devices").arg(name, cost).arg(devices);
  if (const QString ties = tiesText(*answer, shown); !ties.isEmpty()) text += QStringLiteral(", ") + ties;
  const QString memory = memoryText(*answer->instance, strategies[shown]);
  if (!memory.isEmpty()) text += tr(", memory %1 each").arg(memory);
  // Without a limit the memory of a device is named.
  const Bytes has(m_session.workspace()->system.accelerator.memory);
  const bool isUnbounded = answer->instance->graph && answer->instance->deviceMemory() == Bytes(0);
  if (isUnbounded && has > Bytes(0) && Bytes(memoryOf(answer->instance->problem, strategies[shown].choice)) > has) {
    text += tr(" (✗ a device here has %1)").arg(bytesText(has));
  }
  const QString mesh = meshWords(*answer->instance);
  if (!mesh.isEmpty()) text += tr(" · mesh %1").arg(mesh);
  const QString between = bandwidthText(answer->instance->options.bandwidth);
  const QString speed = qs(formatFlops(answer->instance->options.flops));
  if (isFlat) text += tr(" · %1 between any two, %2 each").arg(between, speed);
  QStringList tip{memoryParts(*answer->instance, strategies[shown])};
  tip += unmodelledEffectsText(*answer->instance);
  if (isFlat) {
    tip += tr("Any two devices have %1 between them and each computes %2, on every system; the hierarchical model uses "
              "the drawn system.")
               .arg(between, speed);
  }
  m_headline->setToolTip(tip.join('\n').trimmed());
  const QString split = splitText(*answer->instance, splitOf(*answer->instance, strategies[shown].choice));
  if (!split.isEmpty()) text += QStringLiteral(" · ") + split;
  if (const QString pins = m_finder.pinsText(); !pins.isEmpty()) text += QStringLiteral(" · ") + pins;
  // Here, where it moves nothing: most searches are over in a blink.
  if (!m_finder.isCurrent() && m_finder.isSearching()) text += tr(" · computing …");
  m_headline->setText(text);
  const QColor ink = m_finder.isCurrent() || m_finder.isSearching() ? Theme::text() : Theme::mutedText();
  if (m_headline->palette().color(QPalette::WindowText) != ink) {
    QPalette own = m_headline->palette();
    own.setColor(QPalette::WindowText, ink);
    m_headline->setPalette(own);
  }
}

void GraphPanel::refreshNote() {
  // The menu has it always; here is room for it where it is the way on.
  m_again->setVisible(!m_finder.isCurrent() && !m_finder.isSearching());
  const QStringList unknown = m_finder.unknownPins();
  if (const auto problem = m_finder.problem()) {
    m_note->showProblem(qs(problem->text()));
  } else if (m_layout.problem()) {
    m_note->showProblem(qs(m_layout.problem()->text()));
  } else if (m_layout.wasCancelled()) {
    m_note->say(InlineMessage::Kind::Note, tr("Drawing the graph was stopped; find the strategy again to draw it."));
  } else if (m_finder.answer() && !m_finder.isCurrent() && !m_finder.isSearching() && isVisible()) {
    m_note->say(InlineMessage::Kind::Note, tr("Stopped; this is the strategy from before."));
  } else if (!unknown.isEmpty()) {
    m_note->say(InlineMessage::Kind::Note,
                tr("Ignored: the pins of %1, which do not fit this graph and these devices.").arg(unknown.join(", ")));
  } else if (const auto instance = m_finder.instance(); instance && !warningsOf(*instance).isEmpty()) {
    m_note->say(InlineMessage::Kind::Note, warningsOf(*instance).join(QStringLiteral(" ")));
  } else {
    m_note->showProblem({});
  }
}

void GraphPanel::layOut() {
  const auto instance = m_finder.instance();
  if (!instance) return;
  if (m_layout.wasCancelled() && m_finder.isSearching()) m_layout.withdraw();
  m_layout.ask(tr("Drawing the graph"), foldedOf(*instance).shape(GraphView::kVertexSize));
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
  const FoldedGraph folded = foldedOf(*answer->instance);
  if (folded.shape(GraphView::kVertexSize) != m_layout.answered()) return;
  const auto& strategies = answer->solution.strategies;
  const Strategy& shown = strategies[std::min(m_strategy, strategies.size() - 1)];
  StrategyPicture picture = pictureOf(*answer->instance, answer->pins, shown, strategies.front(), folded);
  if (m_stages.size() == answer->instance->problem.vertices.size()) picture.nameStages(m_stages);
  if (std::exchange(m_fresh, false)) {
    const auto kept = std::exchange(m_kept, std::nullopt);
    int first = picture.costliest();
    if (kept && *kept < folded.nodeOf.size()) first = int(folded.nodeOf[*kept]);
    m_view->setGraph(*layout, std::move(picture));
    emit pictureChanged();
    if (m_view->vertexCount() > 0) m_view->select(first);
  } else {
    m_view->setPicture(std::move(picture));
    emit pictureChanged();
  }
}

}  // namespace p2::views
