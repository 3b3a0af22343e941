// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/cost_perspective.h"

#include <QAction>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "views/accuracy/accuracy_mark.h"
#include "views/common/brief_label.h"
#include "views/common/empty_page.h"
#include "views/common/forward_focus.h"
#include "views/common/panel.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/common/view_tabs.h"
#include "views/cost/best_page.h"
#include "views/cost/cost_bars_page.h"
#include "views/shell/session.h"
#include "views/shell/way_out.h"
#include "views/sweep/sweep_page.h"

namespace p2::views {
namespace {

constexpr double kZoom = 0.7;
constexpr int kLowLines = 30;  // a page of fewer lines of text gives its charts the room

}  // namespace

CostPerspective::CostPerspective(Session& session, QWidget* parent)
    : Perspective(parent),
      m_session(session),
      m_pages(new QStackedWidget),
      m_empty(new EmptyPage),
      m_best(new BestPage(session)),
      m_bars(new CostBarsPage(session)),
      m_sweep(new SweepPage(session)),
      m_leftOut(new BriefLabel) {
  m_leftOut->setObjectName("costLeftOut");
  m_leftOut->setForegroundRole(QPalette::PlaceholderText);
  m_leftOut->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* content = new QWidget;
  auto* shown = new QStackedWidget;
  shown->addWidget(m_best);
  shown->addWidget(m_bars);
  shown->addWidget(m_sweep);
  auto* column = bareLayout<QVBoxLayout>(content, Theme::kGrid);
  column->addWidget(makeHeader());
  column->addWidget(shown, 1);
  column->addWidget(m_leftOut);
  m_pages->addWidget(m_empty);
  m_pages->addWidget(content);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(Theme::kGrid, Theme::kGrid, Theme::kGrid, Theme::kGrid);
  layout->addWidget(m_pages);
  connect(m_empty, &EmptyPage::clicked, this, [this] {
    if (const auto problem = m_session.problem()) emit perspectiveWanted(wayOutOf(*problem).page);
  });
  connect(m_best, &BestPage::programWanted, this, [this] { emit perspectiveWanted(kProgramsPage); });
  connect(m_best, &BestPage::workloadWanted, this, [this] { emit perspectiveWanted(kWorkloadPage); });
  connect(m_bars, &CostBarsPage::programWanted, this, [this] { emit perspectiveWanted(kProgramsPage); });
  connect(m_sweep, &SweepPage::programWanted, this, [this] { emit perspectiveWanted(kProgramsPage); });
  const auto turnTo = [this, shown](int view) {
    shown->setCurrentIndex(std::min(view, int(BySize)));
    showView(view);
  };
  connect(m_tabs, &ViewTabs::currentChanged, this, turnTo);
  connect(m_sweep, &SweepPage::answered, this, &CostPerspective::showUnmodelledEffects);
  connect(&m_session, &Session::explorationChanged, this, &CostPerspective::refresh);
  connect(&m_session, &Session::freshnessChanged, this, &CostPerspective::refresh);
  turnTo(m_tabs->currentIndex());
  m_sweep->setLow(false);
  refresh();
}

void CostPerspective::resizeEvent(QResizeEvent* event) {
  Perspective::resizeEvent(event);
  const bool low = height() < kLowLines * fontMetrics().lineSpacing();
  m_sweep->setLow(low);
  m_leftOut->setMostLines(low ? 1 : 0);
}

// The charts are walked through with the arrow keys like lists.
QWidget* CostPerspective::mainList() {
  QWidget* list = Perspective::mainList();
  return list != nullptr ? list : this;
}

QWidget* CostPerspective::makeHeader() {
  auto* header = new QWidget;
  auto* layout = bareLayout<QHBoxLayout>(header, Theme::kGrid);
  makeTabs();
  layout->addWidget(m_tabs);
  layout->addStretch();
  m_mark = new AccuracyMark(m_session, AccuracyMark::Of::Program);
  layout->addWidget(m_mark);
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
      "costViews", tr("Views of the costs"), "costs/view",
      {{"showBestAction", "best", tr("By placement"),
        tr("The best program of every placement next to one AllReduce and the frameworks' default")},
       {"showBarsAction", "programs", tr("All programs"), tr("Every program of every placement as a bar")},
       {"showBySizeAction", "size", tr("By size"),
        tr("Curves of the best program over sizes, nodes, or the bandwidth or latency of one link")},
       {"showMapAction", "map", tr("Map"),
        tr("Map of the best program of every placement over sizes, nodes, or the bandwidth or latency of one link")}});
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
  // The curves have theirs next to the measurements.
  m_mark->setVisible(view != BySize);
  const std::array<QWidget*, 4> pages{m_best, m_bars, m_sweep, m_sweep};
  forwardFocus(*this, *pages[std::size_t(view)]);
  showUnmodelledEffects();
}

void CostPerspective::refresh() {
  m_pages->setCurrentIndex(m_session.exploration() ? 1 : 0);
  const auto problem = m_session.problem();
  m_empty->say(problem ? qs(problem->text()) : tr("The costs appear here as soon as they are found."),
               problem ? wayOutOf(*problem).name : QString());
  showUnmodelledEffects();
}

void CostPerspective::showUnmodelledEffects() {
  const auto exploration = m_session.exploration();
  if (!exploration) return;
  const bool single = m_tabs->currentIndex() == Best || m_tabs->currentIndex() == Bars;
  const Workspace& workspace = exploration->workspace;
  const CostOptions& cost = workspace.options.cost;
  const QString here = qs(unmodelledEffectsOf(cost, exploration->algorithms, workspace.system));
  m_leftOut->setText(
      tr("Not modelled by the %1 model: %2.").arg(qs(cost.model), single ? here : m_sweep->leftOut().value_or(here)));
}

}  // namespace p2::views
