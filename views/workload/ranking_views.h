// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>

#include "views/common/plot_export.h"
#include "views/workload/ranking_words.h"

namespace p2::views {

class BreakEvenPage;
class RankingPage;
class TradeoffPlot;
class ViewTabs;

/// Views of a ranking: bars, exposed against overlappable time, or break-evens. Which of them is remembered.
class RankingViews : public QStackedWidget {
  Q_OBJECT
 public:
  explicit RankingViews(QWidget* parent = nullptr);

  void setRanking(std::shared_ptr<const StepRanking> ranking, const std::optional<ReductionWinner>& winner);
  void setStale(bool stale);
  /// −1 for none.
  void setChosen(int placement);
  /// The tabs by which one of them is chosen, to be put where there is room; and the same as actions.
  [[nodiscard]] ViewTabs& tabs() { return *m_tabs; }
  /// The shown picture for a file, and the file's name.
  [[nodiscard]] ExportedPlot exported(const FigureStyle& style) const;
  [[nodiscard]] QString exportName() const;

 signals:
  void placementChosen(int placement);
  void placementActivated(int placement);  ///< by double click or Enter
  void hovered(const QString& text);       ///< empty for nothing

 private:
  void makeTabs();
  void connectViews();
  void showView(int view);
  void refresh();

  ViewTabs* m_tabs = nullptr;
  RankingPage* m_ranking;
  TradeoffPlot* m_tradeoff;
  BreakEvenPage* m_breakEvens;
  std::shared_ptr<const StepRanking> m_shown;
  std::optional<ReductionWinner> m_winner;
  int m_chosen = -1;
  bool m_stale = false;
};

}  // namespace p2::views
