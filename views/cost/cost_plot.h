// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "views/common/themed_plot.h"
#include "views/cost/cost_series.h"

namespace p2::views {

class CostBars;
class LowerBoundLabels;

/// The bars with axes and legend. The wheel zooms, dragging pans, Shift and dragging zooms into a rectangle; Left and
/// Right walk from bar to bar, Enter selects.
class CostPlot : public ThemedPlot {
  Q_OBJECT
 public:
  explicit CostPlot(QWidget* parent = nullptr);

  void setSeries(std::shared_ptr<const Exploration> exploration, const CostSeries& series, bool grouped);
  void setStacked(bool stacked);
  void setLogarithmic(bool logarithmic);
  void setStale(bool stale);
  /// Outlines the bar of this program, if it has one.
  void setSelected(int placement, int program);

  [[nodiscard]] const std::vector<CostBar>& bars() const;
  /// The exploration of the bars. Only after setSeries().
  [[nodiscard]] const Exploration& exploration() const;
  /// Rectangle of a bar, in pixels of this widget.
  [[nodiscard]] QRectF rectOf(int bar) const;
  /// The whisker of its interval, likewise; of no length where it has none.
  [[nodiscard]] QLineF whiskerOf(int bar) const;
  /// "B [[1,8],[2,1]] · ReduceScatter·node → … · 2.83 s, 1.84× …".
  [[nodiscard]] QString textOf(int bar) const;

 public slots:
  /// By as much, around the bar under the mouse.
  void zoom(double factor);
  void fit();

 signals:
  void barHovered(int bar);  ///< −1 for none
  void barClicked(int bar);
  void barActivated(int bar);  ///< by double click or Enter

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void leave() override;

 private:
  void putLegendAside();
  void connectMouse();
  void applyTheme() override;
  [[nodiscard]] QString toolTipAt(const QPoint& place) const override;
  void fitValues();
  void keepInside(const QCPRange& range);
  void hover(int bar);
  void fillLegendFrom(const std::vector<CostBar>& bars);

  CostBars* m_bars;
  LowerBoundLabels* m_limits;
  QPoint m_pressedAt;
  int m_hovered = -1;
  bool m_isStacked = false;
};

}  // namespace p2::views
