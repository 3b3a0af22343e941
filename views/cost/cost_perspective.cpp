// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/cost_perspective.h"

#include <QAction>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "views/common/empty_page.h"
#include "views/common/forward_focus.h"
#include "views/common/theme.h"
#include "views/common/view_tabs.h"
#include "views/cost/best_page.h"
#include "views/cost/cost_bars_page.h"
#include "views/shell/session.h"
#include "views/sweep/sweep_page.h"

namespace p2::views {
namespace {

constexpr double kZoom = 0.7;

}  // namespace

CostPerspective::CostPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_pages(new QStackedWidget),
      m_empty(new EmptyPage),
      m_best(new BestPage(session)),
      m_bars(new CostBarsPage(session)),
      m_sweep(new SweepPage(session)) {
  auto* content = new QWidget;
  auto* shown = new QStackedWidget;
  shown->addWidget(m_best);
  shown->addWidget(m_bars);
  shown->addWidget(m_sweep);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Theme::kGrid);
  column->addWidget(makeHeader());
  column->addWidget(shown, 1);
  m_pages->addWidget(m_empty);
  m_pages->addWidget(content);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(m_pages);
  connect(m_empty, &EmptyPage::clicked, this, [this] { emit perspectiveWanted(kSystemPage); });
  connect(m_best, &BestPage::programWanted, this, [this] { emit perspectiveWanted(kProgramsPage); });
  connect(m_bars, &CostBarsPage::programWanted, this, [this] { emit perspectiveWanted(kProgramsPage); });
  connect(m_sweep, &SweepPage::programWanted, this, [this] { emit perspectiveWanted(kProgramsPage); });
  const auto turnTo = [this, shown](int view) {
    shown->setCurrentIndex(std::min(view, int(BySize)));
    showView(view);
  };
  connect(m_tabs, &ViewTabs::currentChanged, this, turnTo);
  connect(&m_session, &Session::explorationChanged, this, &CostPerspective::refresh);
  connect(&m_session, &Session::freshnessChanged, this, &CostPerspective::refresh);
  turnTo(m_tabs->currentIndex());
  refresh();
}

QString CostPerspective::help() const {
  return tr(
      "<p><b>By placement</b> has a row for every placement: its best program, the fastest first, and hatched below it "
      "one AllReduce over the whole group. ◇ is what JAX and PyTorch do unasked. Enter or a double click shows the "
      "program.</p>"
      "<p><b>All programs</b> has one bar for every program of every placement, as long as its predicted time. Colour "
      "and letter tell the placement, of more than eight the colour tells the outermost level that the reduction "
      "crosses; the hatched, dashed bars are single AllReduces, the reference. The wheel or + and − zoom, "
      "dragging pans, Shift and dragging zooms into a rectangle, 0 shows everything.</p>"
      "<p>No program can be below the dotted line, the limit: it is what has to cross the border of some part of the "
      "system, over the bandwidth of the links that lead out of it, without any latency.</p>"
      "<p>Click a bar (or Enter after Left and Right) to select its program everywhere, double-click to watch "
      "it.</p>"
      "<p><b>By size</b> follows the best program and the single AllReduce over sizes, nodes or a figure of one link. "
      "A vertical line stands where another program or placement becomes the best. Click a point to choose its "
      "placement and program. Links shows a slider for every link: what they are moved to is tried out and changes "
      "the document only when it is applied. Crosses are public measurements of machines like this one.</p>"
      "<p><b>Map</b> has a row for every placement: which program is the best there. Outlined is the placement that is "
      "the best of all.</p>");
}

// The charts are walked through with the arrow keys like lists.
QWidget* CostPerspective::mainList() {
  QWidget* list = Perspective::mainList();
  return list != nullptr ? list : this;
}

QWidget* CostPerspective::makeHeader() {
  auto* header = new QWidget;
  auto* layout = new QHBoxLayout(header);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(Theme::kGrid);
  makeTabs();
  layout->addWidget(m_tabs);
  layout->addStretch();
  makeZooms();
  for (QAction* action : m_actions) {
    if (!action->objectName().startsWith("zoom")) continue;
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setObjectName(action->objectName().replace("Action", "Button"));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(action->text());
    layout->addWidget(button);
  }
  return header;
}

void CostPerspective::makeTabs() {
  m_tabs = new ViewTabs(
      "costViews", tr("What of the costs is shown"), "costs/view",
      {{"showBestAction", "best", tr("By placement"),
        tr("The best program of every placement beside one AllReduce and what frameworks do")},
       {"showBarsAction", "programs", tr("All programs"), tr("Every program of every placement as a bar")},
       {"showBySizeAction", "size", tr("By size"), tr("The best over sizes, nodes or a figure of one link, as curves")},
       {"showMapAction", "map", tr("Map"), tr("The best program of every placement over the same")}});
  addActions(m_tabs->tabActions());
  m_actions = m_tabs->tabActions();
}

void CostPerspective::makeZooms() {
  m_actions << addZoom(tr("Zoom in"), "zoom-in", {Qt::Key_Plus, Qt::Key_Equal}, kZoom)
            << addZoom(tr("Zoom out"), "zoom-out", {Qt::Key_Minus}, 1 / kZoom)
            << addZoom(tr("Show all"), "zoom-fit", {Qt::Key_0}, 0);
}

/// A factor of 0 shows everything.
QAction* CostPerspective::addZoom(const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                                  double factor) {
  auto* action = new QAction(Theme::icon(icon), text, this);
  action->setObjectName(icon + "Action");
  action->setShortcuts(keys);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(tr("%1 (%2)").arg(text, keys.first().toString(QKeySequence::NativeText)));
  connect(action, &QAction::triggered, this, [this, factor] {
    if (m_tabs->currentIndex() == Best) return;
    const bool bars = m_tabs->currentIndex() == Bars;
    if (factor > 0) {
      bars ? m_bars->zoom(factor) : m_sweep->zoom(factor);
    } else {
      bars ? m_bars->showAll() : m_sweep->showAll();
    }
  });
  addAction(action);
  return action;
}

void CostPerspective::showView(int view) {
  if (view == BySize || view == Map) m_sweep->showMap(view == Map);
  for (QAction* action : m_actions) {
    if (action->objectName().startsWith("zoom")) action->setEnabled(view != Best);
  }
  const std::array<QWidget*, 4> pages{m_best, m_bars, m_sweep, m_sweep};
  forwardFocus(*this, *pages[std::size_t(view)]);
}

void CostPerspective::refresh() {
  m_pages->setCurrentIndex(m_session.exploration() ? 1 : 0);
  const auto problem = m_session.problem();
  m_empty->say(
      problem ? QString::fromStdString(problem->text()) : tr("The costs appear here as soon as they are found."),
      problem ? tr("Go to the system") : QString());
}

}  // namespace p2::views
