// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStackedWidget>

#include "views/workload/ranking_words.h"

class QAction;
class QTabBar;

namespace p2::views {

class BreakEvenPage;
class RankingPage;
class TradeoffPlot;

/// What is shown of a ranking: bars, exposed against overlappable time, or break-evens. Which of them is remembered.
class RankingViews : public QStackedWidget {
  Q_OBJECT
 public:
  explicit RankingViews(QWidget* parent = nullptr);

  void setRanking(std::shared_ptr<const StepRanking> ranking, const std::optional<ReductionWinner>& winner);
  void setStale(bool stale);
  /// −1 for none.
  void setChosen(int placement);
  /// The tabs by which one of them is chosen, to be put where there is room; and the same as actions.
  [[nodiscard]] QTabBar& tabs() { return *m_tabs; }
  [[nodiscard]] const QList<QAction*>& tabActions() const { return m_actions; }

 signals:
  void placementChosen(int placement);
  void placementActivated(int placement);  ///< by double click or Enter
  void hovered(const QString& text);       ///< empty for nothing

 private:
  void makeTabs();
  void connectViews();
  void showView(int view);

  QTabBar* m_tabs = nullptr;
  QList<QAction*> m_actions;
  RankingPage* m_ranking;
  TradeoffPlot* m_tradeoff;
  BreakEvenPage* m_breakEvens;
};

}  // namespace p2::views
