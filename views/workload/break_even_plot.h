// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "views/workload/break_even_lines.h"
#include "views/workload/placement_plot.h"

namespace p2::views {

/// Time of every placement over the ratio of two groups' bytes, the best ones thick, with a dot where another one
/// becomes the best and a vertical line at the workload's own ratio. Left and Right walk along the best placements,
/// Enter chooses.
class BreakEvenPlot : public PlacementPlot {
  Q_OBJECT
 public:
  explicit BreakEvenPlot(QWidget* parent = nullptr);

  void setChart(std::shared_ptr<const StepRanking> ranking, std::optional<BreakEvenChart> chart);
  /// −1 for none.
  void setChosen(int placement);
  [[nodiscard]] const std::optional<BreakEvenChart>& chart() const { return m_chart; }
  /// Position of a placement's line at a ratio, in pixels of this widget.
  [[nodiscard]] QPointF pixelOf(std::size_t placement, double ratio) const;
  /// "chosen: [[32,1],[1,8]]", next to the dashed curve; empty where the chosen placement begins as the best.
  [[nodiscard]] QString chosenText() const;

 protected:
  [[nodiscard]] int placementAt(QPointF position) const override;
  [[nodiscard]] QString textOf(Spot spot) const override;
  [[nodiscard]] QPointF coordsOf(Spot spot) const override;
  /// The best placements, each in the middle of where it is.
  [[nodiscard]] std::vector<Spot> walk() const override;
  void applyTheme() override;

 private:
  void fill();
  void addCurve(const BreakEvenLine& line);
  void addBest();
  void addWords();
  QCPItemText* addText(const QString& text, Qt::Alignment alignment);
  void placeWords();
  void fit();

  std::shared_ptr<const StepRanking> m_ranking;
  std::optional<BreakEvenChart> m_chart;
  std::vector<std::pair<std::size_t, QCPGraph*>> m_curves;  // by placement
  std::vector<QCPGraph*> m_best;                            // of walk()
  std::vector<QCPItemText*> m_names;                        // of walk()
  std::vector<QCPItemText*> m_crossings;
  QCPGraph* m_dots = nullptr;
  QCPItemStraightLine* m_own = nullptr;
  QCPItemText* m_ownText = nullptr;
  QCPItemText* m_chosenText = nullptr;  // at its dashed curve
  int m_chosen = -1;
};

}  // namespace p2::views
