// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <QWidget>

#include "views/common/owned.h"
#include "views/workload/ranking_model.h"

class QLabel;

namespace p2::views {

class RankingBarDelegate;

/// A row per placement: its axes, its step as a bar, and the orders that give it; below, orders that lead to none.
class RankingPage : public QWidget {
  Q_OBJECT
 public:
  explicit RankingPage(QWidget* parent = nullptr);
  ~RankingPage() override;

  void setRanking(std::shared_ptr<const StepRanking> ranking, const std::optional<ReductionWinner>& winner);
  void setStale(bool stale) { m_model.setStale(stale); }
  /// Selects a placement without a word; −1 for none.
  void setChosen(int placement);

 signals:
  void placementChosen(int placement);
  void placementActivated(int placement);  ///< by double click or Enter

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeTable();
  void fitTable();
  void fitStep();
  void showLegend();

  RankingModel m_model;
  OwnedView<QTableView> m_table;
  QLabel* m_legend;
  QLabel* m_orders;
  int m_chosen = -1;
  bool m_syncing = false;
};

}  // namespace p2::views
