// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "views/common/themed_plot.h"
#include "views/plan/plan_words.h"

namespace p2::views {

/// Every configuration as a point, step time against memory of the fullest device, with the Pareto front as a line and
/// the memory of a device as a limit. Left and Right walk along the front, a click or Enter chooses.
class PlanScatter : public ThemedPlot {
  Q_OBJECT
 public:
  explicit PlanScatter(QWidget* parent = nullptr);

  void setAnswer(std::shared_ptr<const PlannerAnswer> found);
  void setStale(bool stale);
  /// Place of the shown configuration; −1 for none.
  void setShown(int place);
  /// Places on the front, by time.
  [[nodiscard]] const std::vector<int>& front() const { return m_front; }
  [[nodiscard]] QPointF pixelOf(int place) const;

 signals:
  void pointHovered(const QString& text);
  void pointClicked(int place);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] QPointF coordsOf(int place) const;
  [[nodiscard]] int placeAt(QPointF position) const;
  [[nodiscard]] QString textOf(int place) const;
  void findFront();
  void fill();
  void hover(int place);
  void applyTheme() override;
  [[nodiscard]] QString toolTipAt(const QPoint& place) const override;

  std::shared_ptr<const PlannerAnswer> m_found;
  std::vector<int> m_front;
  int m_shown = -1;
  int m_hovered = -1;
  bool m_stale = false;
  QPoint m_pressedAt;
  QCPGraph* m_others;
  QCPGraph* m_line;
  QCPGraph* m_onFront;
  QCPGraph* m_mark;
  QCPGraph* m_ring;
  QCPItemStraightLine* m_limit;
};

}  // namespace p2::views
