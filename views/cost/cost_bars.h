// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <memory>

#include "views/cost/cost_colours.h"
#include "views/cost/cost_series.h"

namespace p2::views {

/// Draws the bars of a cost series on a plot: bar i stands around key i. Thousands of bars in one plottable, coloured
/// by CostColours and lettered by placement, the AllReduce of each hollow, hatched and dashed, or marked where bars are
/// narrow. A dotted line at the time that no program can be below, and whiskers over the interval of each time, where
/// one is known; a beam across where overlapping steps end.
class CostBars : public QCPAbstractPlottable {
  Q_OBJECT
 public:
  CostBars(QCPAxis* keyAxis, QCPAxis* valueAxis);

  void setSeries(std::shared_ptr<const Exploration> exploration, std::vector<CostBar> bars);
  [[nodiscard]] const std::vector<CostBar>& bars() const { return m_bars; }
  [[nodiscard]] const std::shared_ptr<const Exploration>& exploration() const { return m_exploration; }
  [[nodiscard]] const CostColours& colours() const { return m_colours; }
  void setStacked(bool stacked) { m_stacked = stacked; }
  /// Whether bars of one placement are grouped, under the line of their AllReduce.
  void setGrouped(bool grouped) { m_grouped = grouped; }
  void setStale(bool stale) { m_stale = stale; }
  /// Indices of the bars to light up and to outline; −1 for none.
  void setHovered(int bar) { m_hovered = bar; }
  void setSelected(int bar) { m_selected = bar; }

  /// Rectangle of a bar, in pixels of the plot.
  [[nodiscard]] QRectF rectOf(int bar) const;
  /// The bar in the column under a point of the plot, −1 for none.
  [[nodiscard]] int barAt(QPointF point) const;
  [[nodiscard]] const std::optional<SecondsRange>& rangeAt(int bar) const { return m_ranges[std::size_t(bar)]; }
  /// The line over the interval of a bar's time, in pixels of the plot; null where none is known or bars are narrow.
  [[nodiscard]] QLineF whiskerOf(int bar) const;
  /// A limit under bars side by side, and where it is drawn, in pixels of the plot.
  struct LowerBoundSpan {
    int first = 0;
    int last = 0;
    double seconds = 0;
    QLineF line;
  };
  [[nodiscard]] std::vector<LowerBoundSpan> lowerBoundSpans() const;
  /// Whether bars of one placement are grouped.
  [[nodiscard]] bool isGrouped() const { return m_grouped; }
  [[nodiscard]] bool isStale() const { return m_stale; }
  [[nodiscard]] double largest() const;
  /// The smallest value above zero that is drawn.
  [[nodiscard]] double smallest() const;

  double selectTest(const QPointF& pos, bool onlySelectable, QVariant* details = nullptr) const override;
  QCPRange getKeyRange(bool& foundRange, QCP::SignDomain inSignDomain = QCP::sdBoth) const override;
  QCPRange getValueRange(bool& foundRange, QCP::SignDomain inSignDomain = QCP::sdBoth,
                         const QCPRange& inKeyRange = QCPRange()) const override;

 protected:
  void draw(QCPPainter* painter) override;
  void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

 private:
  void drawBar(QCPPainter& painter, int bar) const;
  void drawSteps(QCPPainter& painter, int bar, const QRectF& rect) const;
  void drawLetter(QCPPainter& painter, int bar, const QRectF& rect) const;
  void drawWhisker(QCPPainter& painter, int bar) const;
  void drawOverlap(QCPPainter& painter, int bar) const;
  void drawMarker(QCPPainter& painter, const QRectF& rect) const;
  void drawReferences(QCPPainter& painter, int first, int last) const;
  void drawLowerBounds(QCPPainter& painter, int first, int last) const;
  [[nodiscard]] double pixelOf(double seconds) const;

  std::shared_ptr<const Exploration> m_exploration;
  CostColours m_colours;
  std::vector<CostBar> m_bars;
  std::vector<std::optional<SecondsRange>> m_ranges;  // intervals of the bars
  bool m_stacked = false;
  bool m_grouped = false;
  bool m_stale = false;
  int m_hovered = -1;
  int m_selected = -1;
};

/// Fills a rectangle as the bars of a category of CostColours look: the swatch of legends.
void fillLikePlacement(QPainter& painter, const QRectF& rect, int category, bool reference);

}  // namespace p2::views
