// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/workload/ranking_views.h"

#include "views/common/forward_focus.h"
#include "views/common/theme.h"
#include "views/common/view_tabs.h"
#include "views/workload/break_even_page.h"
#include "views/workload/break_even_plot.h"
#include "views/workload/ranking_figure.h"
#include "views/workload/ranking_page.h"
#include "views/workload/ranking_picture.h"
#include "views/workload/ranking_tables.h"
#include "views/workload/tradeoff_plot.h"

namespace p2::views {
RankingViews::RankingViews(QWidget* parent)
    : QStackedWidget(parent),
      m_ranking(new RankingPage),
      m_tradeoff(new TradeoffPlot),
      m_breakEvens(new BreakEvenPage) {
  m_tradeoff->setObjectName("tradeoffPlot");
  m_tradeoff->setMinimumSize(280, 180);
  for (QWidget* view : std::initializer_list<QWidget*>{m_ranking, m_tradeoff, m_breakEvens}) addWidget(view);
  setContentsMargins(Theme::kGrid, 0, 0, 0);
  makeTabs();
  connectViews();
  showView(m_tabs->currentIndex());
}

void RankingViews::makeTabs() {
  m_tabs = new ViewTabs(
      "workloadViews", tr("Views of the workload"), "workload/view",
      {{"showRankingAction", "ranking", tr("Ranking"), tr("Every placement with its step as a bar")},
       {"showTradeoffAction", "tradeoff", tr("Trade-off"), tr("Exposed against overlappable time, with the front")},
       {"showBreakEvensAction", "break-evens", tr("Break-evens"),
        tr("The best placement over the ratio of two groups of entries")}},
      this);
}

void RankingViews::connectViews() {
  connect(m_tabs, &ViewTabs::currentChanged, this, &RankingViews::showView);
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
  m_shown = std::move(ranking);
  m_winner = winner;
  m_chosen = -1;
  refresh();
}

ExportedPlot RankingViews::exported(const FigureStyle& style) const {
  const QString asked = m_shown ? askedText(m_shown->question) : QString();
  if (currentWidget() == m_breakEvens) {
    const auto csv = [this, shown = m_shown] {
      const auto& chart = m_breakEvens->plot().chart();
      return chart ? breakEvenCsv(*shown, chart->answer) : std::string();
    };
    return {&m_breakEvens->plot(), csv, tr("Break-evens of placements"), {}, {}, asked, style};
  }
  const auto csv = [shown = m_shown] { return shown ? rankingCsv(*shown) : std::string(); };
  if (currentWidget() == m_tradeoff)
    return {m_tradeoff, csv, tr("Placements by exposed and overlappable time"), {}, {}, asked, style};
  ExportedPlot ranking{nullptr, csv, tr("Placements by training step")};
  ranking.style = style;
  if (style.isForPrint()) {
    const RankingFigure figure(m_shown, style, ranking.title);
    ranking.paint = [figure](QPainter& painter) { figure.paint(painter); };
    ranking.size = figure.size();
    return ranking;
  }
  const RankingPicture picture(m_shown, m_winner, m_ranking->width());
  ranking.paint = [picture](QPainter& painter) { picture.paint(painter); };
  ranking.size = picture.size();
  return ranking;
}

QString RankingViews::exportName() const {
  return currentWidget() == m_breakEvens ? QStringLiteral("break-evens")
         : currentWidget() == m_tradeoff ? QStringLiteral("trade-off")
                                         : QStringLiteral("ranking");
}

void RankingViews::setStale(bool stale) {
  m_stale = stale;
  refresh();
}

void RankingViews::setChosen(int placement) {
  m_chosen = placement;
  refresh();
}

// Hidden views are updated when they are shown: a slider moves one of them only.
void RankingViews::refresh() {
  const auto bring = [this](auto& page) {
    page.setStale(m_stale);
    page.setChosen(m_chosen);
  };
  if (currentWidget() == m_ranking) {
    m_ranking->setRanking(m_shown, m_winner);
    bring(*m_ranking);
  } else if (currentWidget() == m_tradeoff) {
    m_tradeoff->setRanking(m_shown, m_winner);
    bring(*m_tradeoff);
  } else {
    m_breakEvens->setRanking(m_shown);
    bring(*m_breakEvens);
  }
}

void RankingViews::showView(int view) {
  setCurrentIndex(view);
  forwardFocus(*this, *currentWidget());
  refresh();
}

}  // namespace p2::views
