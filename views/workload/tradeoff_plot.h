// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/workload/placement_plot.h"
#include "views/workload/ranking_words.h"

namespace p2::views {

/// Every placement as a point, exposed against overlappable seconds, with the front joined by a step line; what leads
/// to a placement stands next to its point. Left and Right walk from point to point, Enter chooses.
class TradeoffPlot : public PlacementPlot {
  Q_OBJECT
 public:
  explicit TradeoffPlot(QWidget* parent = nullptr);

  void setRanking(std::shared_ptr<const StepRanking> ranking, const std::optional<ReductionWinner>& winner);
  /// −1 for none.
  void setChosen(int placement);
  /// Position of a placement, in pixels of this widget.
  [[nodiscard]] QPointF pixelOf(int placement) const;

 protected:
  [[nodiscard]] int placementAt(QPointF position) const override;
  [[nodiscard]] QString textOf(Spot spot) const override;
  [[nodiscard]] QPointF coordsOf(Spot spot) const override;
  /// All of them, by exposed seconds.
  [[nodiscard]] std::vector<Spot> walk() const override;
  void applyTheme() override;

 private:
  struct Label {
    int placement = 0;
    QCPItemText* item = nullptr;
  };
  void fill();
  void fillLabels();
  void fit();
  void placeLabels();

  std::shared_ptr<const StepRanking> m_ranking;
  std::optional<ReductionWinner> m_winner;
  std::vector<int> m_walk;  // placements by exposed seconds
  std::vector<Label> m_labels;
  QCPGraph* m_front;
  QCPGraph* m_others;
  QCPGraph* m_onParetoFront;
  QCPGraph* m_chosenMark;
};

}  // namespace p2::views
