// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/ranking_views.h"

#include <QAction>
#include <QSettings>
#include <QTabBar>
#include <algorithm>
#include <array>

#include "views/workload/break_even_page.h"
#include "views/workload/break_even_plot.h"
#include "views/workload/ranking_page.h"
#include "views/workload/tradeoff_plot.h"

namespace p2::views {
namespace {

/// How settings call the views, in the order of the tabs.
constexpr std::array kRankingViews{"ranking", "tradeoff", "break-evens"};
constexpr const char* kRankingViewKey = "workload/view";

}  // namespace

RankingViews::RankingViews(QWidget* parent)
    : QStackedWidget(parent),
      m_ranking(new RankingPage),
      m_tradeoff(new TradeoffPlot),
      m_breakEvens(new BreakEvenPage) {
  m_tradeoff->setObjectName("tradeoffPlot");
  m_tradeoff->setMinimumSize(280, 180);
  for (QWidget* view : std::initializer_list<QWidget*>{m_ranking, m_tradeoff, m_breakEvens}) addWidget(view);
  makeTabs();
  connectViews();
  const QString remembered = QSettings().value(kRankingViewKey).toString();
  const auto view = std::find(kRankingViews.begin(), kRankingViews.end(), remembered);
  if (view != kRankingViews.end()) m_tabs->setCurrentIndex(int(view - kRankingViews.begin()));
  showView(m_tabs->currentIndex());
}

void RankingViews::makeTabs() {
  struct Tab {
    const char* name;
    QString text;
    QString toolTip;
  };
  const std::array tabs{
      Tab{"showRankingAction", tr("Ranking"), tr("Every placement with its step as a bar")},
      Tab{"showTradeoffAction", tr("Trade-off"), tr("Exposed against overlappable time, with the front")},
      Tab{"showBreakEvensAction", tr("Break-evens"), tr("The best placement over the ratio of two groups of entries")}};
  m_tabs = new QTabBar(this);
  m_tabs->setObjectName("workloadViews");
  m_tabs->setAccessibleName(tr("What of the workload is shown"));
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  for (int view = 0; view < int(tabs.size()); ++view) {
    const Tab& tab = tabs[std::size_t(view)];
    auto* action = new QAction(tab.text, this);
    action->setObjectName(tab.name);
    action->setShortcut(QKeySequence(int(Qt::ALT) | (Qt::Key_1 + view)));
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, [this, view] { m_tabs->setCurrentIndex(view); });
    m_actions.append(action);
    m_tabs->addTab(tab.text);
    m_tabs->setTabToolTip(view, tr("%1 (%2)").arg(tab.toolTip, action->shortcut().toString(QKeySequence::NativeText)));
  }
}

void RankingViews::connectViews() {
  connect(m_tabs, &QTabBar::currentChanged, this, &RankingViews::showView);
  connect(m_ranking, &RankingPage::placementChosen, this, &RankingViews::placementChosen);
  connect(m_ranking, &RankingPage::placementActivated, this, &RankingViews::placementActivated);
  connect(m_tradeoff, &TradeoffPlot::pointClicked, this, &RankingViews::placementChosen);
  connect(m_tradeoff, &TradeoffPlot::pointActivated, this, &RankingViews::placementActivated);
  connect(m_tradeoff, &TradeoffPlot::pointHovered, this, &RankingViews::hovered);
  BreakEvenPlot* plot = &m_breakEvens->plot();
  connect(plot, &BreakEvenPlot::pointClicked, this, &RankingViews::placementChosen);
  connect(plot, &BreakEvenPlot::pointActivated, this, &RankingViews::placementActivated);
  connect(plot, &BreakEvenPlot::pointHovered, this, &RankingViews::hovered);
}

void RankingViews::setRanking(std::shared_ptr<const StepRanking> ranking,
                              const std::optional<ReductionWinner>& winner) {
  m_ranking->setRanking(ranking, winner);
  m_tradeoff->setRanking(ranking, winner);
  m_breakEvens->setRanking(ranking);
}

void RankingViews::setStale(bool stale) {
  m_ranking->setStale(stale);
  m_tradeoff->setStale(stale);
  m_breakEvens->setStale(stale);
}

void RankingViews::setChosen(int placement) {
  m_ranking->setChosen(placement);
  m_tradeoff->setChosen(placement);
  m_breakEvens->setChosen(placement);
}

void RankingViews::showView(int view) {
  QSettings().setValue(kRankingViewKey, kRankingViews[std::size_t(view)]);
  setCurrentIndex(view);
  setFocusProxy(currentWidget());
}

}  // namespace p2::views
