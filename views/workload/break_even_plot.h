// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <memory>
#include <optional>

#include "views/workload/break_even_lines.h"

namespace p2::views {

/// What every placement takes over the ratio of two groups' bytes, the best ones thick, with a dot where another one
/// becomes the best and a vertical line at the workload's own ratio. Left and Right walk along the best placements,
/// Enter chooses.
class BreakEvenPlot : public QCustomPlot {
  Q_OBJECT
 public:
  explicit BreakEvenPlot(QWidget* parent = nullptr);

  void setChart(std::shared_ptr<const StepRanking> ranking, std::optional<BreakEvenChart> chart);
  void setStale(bool stale);
  /// −1 for none.
  void setChosen(int placement);
  [[nodiscard]] const std::optional<BreakEvenChart>& chart() const { return m_chart; }
  /// Where a placement's line is at a ratio, in pixels of this widget.
  [[nodiscard]] QPointF pixelOf(std::size_t placement, double ratio) const;
  /// "1/4", "1", "4": what is written beside the dots.
  [[nodiscard]] QStringList crossingTexts() const;

 signals:
  void pointHovered(const QString& text);  ///< empty for none
  void pointClicked(int placement);
  void pointActivated(int placement);

 protected:
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void connectMouse();
  void fill();
  void addCurve(const BreakEvenLine& line);
  void addBest();
  void addWords();
  QCPItemText* addText(const QString& text, Qt::Alignment alignment);
  void placeWords();
  void fit();
  void applyTheme();
  void hover(int placement, double ratio);
  /// The line nearest to a point, −1 for none.
  [[nodiscard]] int placementAt(QPointF position) const;
  [[nodiscard]] QString textOf(int placement, double ratio) const;
  /// The best placements from left to right, with a ratio in the middle of where they are.
  [[nodiscard]] std::vector<std::pair<int, double>> bestOnes() const;

  std::shared_ptr<const StepRanking> m_ranking;
  std::optional<BreakEvenChart> m_chart;
  std::vector<std::pair<std::size_t, QCPGraph*>> m_curves;  // by placement
  std::vector<QCPGraph*> m_best;                            // of bestOnes()
  std::vector<QCPItemText*> m_names;                        // of bestOnes()
  std::vector<QCPItemText*> m_crossings;
  QCPGraph* m_dots = nullptr;
  QCPGraph* m_mark = nullptr;
  QCPItemStraightLine* m_own = nullptr;
  QCPItemText* m_ownText = nullptr;
  QPoint m_pressedAt;
  int m_hovered = -1;
  int m_chosen = -1;
  bool m_stale = false;
};

}  // namespace p2::views
