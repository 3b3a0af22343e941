// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/cost_bars.h"

#include <algorithm>
#include <cmath>

#include "views/common/category_stroke.h"
#include "views/common/hatching.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

/// From these widths on, bars get gaps, hatching, outlines and letters.
constexpr double kGapWidth = 3;
constexpr double kHatchWidth = 4;
constexpr double kOutlineWidth = 6;
constexpr double kLetterWidth = 12;
constexpr double kWhiskerCap = 5;

}  // namespace

void fillLikePlacement(QPainter& painter, const QRectF& rect, int category, bool reference) {
  const bool room = rect.width() >= kHatchWidth;
  const QColor color = room ? Theme::category(category) : categoryStroke(category);
  painter.fillRect(rect, reference && room ? Theme::surface() : color);
  if (!room) return;
  if (reference) {
    hatch(painter, rect, Qt::BDiagPattern, color);
  } else {
    hatch(painter, rect, Theme::categoryPattern(category), Theme::onCategory(category));
  }
  painter.save();
  painter.setPen(QPen(categoryStroke(category), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
  painter.restore();
}

CostBars::CostBars(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis) {
  setSelectable(QCP::stNone);
  setAntialiasedFill(false);
}

void CostBars::setSeries(std::shared_ptr<const Exploration> exploration, std::vector<CostBar> bars) {
  m_exploration = std::move(exploration);
  m_colours = CostColours(*m_exploration);
  m_bars = std::move(bars);
  m_hovered = m_selected = -1;
  m_ranges.clear();
  for (const CostBar& bar : m_bars) {
    // Steps that overlap have no interval of their own.
    const bool overlaps = m_exploration->workspace.options.cost.overlap;
    m_ranges.push_back(overlaps ? std::nullopt : rangeOf(stepsOf(*m_exploration, bar)));
  }
}

double CostBars::pixelOf(double seconds) const {
  const QCPRange range = valueAxis()->range();
  const bool logarithmic = valueAxis()->scaleType() == QCPAxis::stLogarithmic;
  return valueAxis()->coordToPixel(logarithmic ? std::max(seconds, range.lower) : seconds);
}

QRectF CostBars::rectOf(int bar) const {
  const double left = keyAxis()->coordToPixel(bar - 0.5);
  const double right = keyAxis()->coordToPixel(bar + 0.5);
  const double gap = right - left >= kGapWidth ? std::max(1.0, 0.1 * (right - left)) : 0;
  const double top = pixelOf(m_bars[std::size_t(bar)].seconds);
  return {left + gap / 2, top, right - left - gap, pixelOf(0) - top};
}

QLineF CostBars::whiskerOf(int bar) const {
  const auto& range = m_ranges[std::size_t(bar)];
  const QRectF rect = rectOf(bar);
  if (!range || rect.width() < kOutlineWidth) return {};
  return {rect.center().x(), pixelOf(range->low), rect.center().x(), pixelOf(range->high)};
}

int CostBars::barAt(QPointF point) const {
  if (!clipRect().contains(point.toPoint())) return -1;
  const int bar = static_cast<int>(std::lround(keyAxis()->pixelToCoord(point.x())));
  return bar >= 0 && bar < static_cast<int>(m_bars.size()) ? bar : -1;
}

double CostBars::largest() const {
  double result = 0;
  for (const CostBar& bar : m_bars) result = std::max(result, bar.seconds);
  for (const auto& range : m_ranges) result = std::max(result, range ? range->high : 0);
  return result;
}

double CostBars::smallest() const {
  double result = 0;
  for (const CostBar& bar : m_bars) {
    const double seconds = bar.rankedSeconds();
    if (seconds > 0 && (result == 0 || seconds < result)) result = seconds;
  }
  return result;
}

double CostBars::selectTest(const QPointF& pos, bool onlySelectable, QVariant* details) const {
  if (onlySelectable) return -1;
  const int bar = barAt(pos);
  if (bar >= 0 && details) details->setValue(bar);
  return bar >= 0 ? 0 : -1;
}

QCPRange CostBars::getKeyRange(bool& foundRange, QCP::SignDomain) const {
  foundRange = !m_bars.empty();
  return {-0.5, double(m_bars.size()) - 0.5};
}

QCPRange CostBars::getValueRange(bool& foundRange, QCP::SignDomain inSignDomain, const QCPRange&) const {
  foundRange = !m_bars.empty();
  return {inSignDomain == QCP::sdPositive ? smallest() : 0, largest()};
}

void CostBars::draw(QCPPainter* painter) {
  if (m_bars.empty()) return;
  const QCPRange shown = keyAxis()->range();
  const int first = std::max(0, static_cast<int>(std::floor(shown.lower + 0.5)));
  const int last = std::min(static_cast<int>(m_bars.size()) - 1, static_cast<int>(std::floor(shown.upper + 0.5)));
  painter->save();
  painter->setAntialiasing(false);
  painter->setOpacity(m_stale ? 0.4 : 1);
  for (int bar = first; bar <= last; ++bar) drawBar(*painter, bar);
  if (m_grouped) drawReferences(*painter, first, last);
  drawLowerBounds(*painter, first, last);
  if (m_selected >= first && m_selected <= last) {
    painter->setPen(QPen(Theme::text(), 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(rectOf(m_selected).adjusted(-2, -2, 2, 0));
  }
  painter->restore();
}

void CostBars::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const {
  fillLikePlacement(*painter, rect, 0, false);
}

void CostBars::drawBar(QCPPainter& painter, int bar) const {
  const CostBar& shown = m_bars[std::size_t(bar)];
  const QRectF rect = rectOf(bar);
  fillLikePlacement(painter, rect, m_colours.categoryOf(shown.placement), shown.reference);
  if (shown.reference && rect.width() >= kOutlineWidth) {
    painter.setPen(QPen(Theme::text(), 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect);
  }
  if (shown.reference && rect.width() < kLetterWidth) drawMarker(painter, rect);
  if (m_stacked && rect.width() >= kGapWidth) drawSteps(painter, bar, rect);
  if (bar == m_hovered) {
    QColor light = Theme::surface();
    light.setAlphaF(0.35F);
    painter.fillRect(rect, light);
    painter.setPen(QPen(Theme::accent(), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect);
  }
  drawWhisker(painter, bar);
  drawOverlap(painter, bar);
  if (rect.width() >= kLetterWidth) drawLetter(painter, bar, rect);
}

// Twice, wide and light below, so that it is legible on bars of any colour and pattern.
void CostBars::drawWhisker(QCPPainter& painter, int bar) const {
  const QLineF line = whiskerOf(bar);
  if (line.isNull()) return;
  const double half = std::min(kWhiskerCap, rectOf(bar).width() / 3);
  const QLineF low(line.x1() - half, line.y1(), line.x1() + half, line.y1());
  const QLineF high(line.x2() - half, line.y2(), line.x2() + half, line.y2());
  for (const auto& [color, width] : {std::pair(Theme::surface(), 4), std::pair(Theme::text(), 1)}) {
    painter.setPen(QPen(color, width));
    for (const QLineF& part : {line, low, high}) painter.drawLine(part);
  }
}

void CostBars::drawOverlap(QCPPainter& painter, int bar) const {
  const CostBar& shown = m_bars[std::size_t(bar)];
  if (shown.overlapped <= 0) return;
  const QRectF rect = rectOf(bar);
  const double y = pixelOf(shown.overlapped);
  for (const auto& [color, width] : {std::pair(Theme::surface(), 6), std::pair(Theme::text(), 2)}) {
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QLineF(rect.left(), y, rect.right(), y));
  }
}

void CostBars::drawSteps(QCPPainter& painter, int bar, const QRectF& rect) const {
  const CostBar& shown = m_bars[std::size_t(bar)];
  double done = 0;
  std::size_t step = 0;
  for (const StepCost& cost : stepsOf(*m_exploration, shown)) {
    const double bottom = pixelOf(done);
    done += cost.seconds;
    const QRectF part(rect.left(), pixelOf(done), rect.width(), bottom - pixelOf(done));
    QColor shade = step % 2 == 0 ? QColor(Qt::transparent) : Theme::surface();
    if (step % 2 == 1) shade.setAlphaF(0.4F);
    painter.fillRect(part, shade);
    painter.fillRect(QRectF(part.left(), part.top(), part.width(), 1), Theme::surface());
    if (rect.width() >= kLetterWidth && part.height() >= 16) {
      painter.setPen(shown.reference || step % 2 == 1 ? Theme::text()
                                                      : Theme::onCategory(m_colours.categoryOf(shown.placement)));
      painter.drawText(part, Qt::AlignCenter, QString::number(step + 1));
    }
    ++step;
  }
}

void CostBars::drawLetter(QCPPainter& painter, int bar, const QRectF& rect) const {
  painter.setPen(Theme::text());
  const QLineF whisker = whiskerOf(bar);
  const double top = whisker.isNull() ? rect.top() : whisker.y2() - 2;
  painter.drawText(QRectF(rect.left() - 8, top - 16, rect.width() + 16, 15), Qt::AlignHCenter | Qt::AlignBottom,
                   Theme::categoryLetter(m_bars[std::size_t(bar)].placement));
}

void CostBars::drawMarker(QCPPainter& painter, const QRectF& rect) const {
  const QPointF tip(rect.center().x(), rect.top() - 1);
  painter.setPen(Qt::NoPen);
  painter.setBrush(Theme::text());
  painter.drawPolygon(QPolygonF{tip, tip + QPointF(-4, -7), tip + QPointF(4, -7)});
}

void CostBars::drawReferences(QCPPainter& painter, int first, int last) const {
  painter.setPen(QPen(Theme::text(), 1, Qt::DashLine));
  for (int bar = first; bar <= last;) {
    int end = bar;
    const int placement = m_bars[std::size_t(bar)].placement;
    while (end <= last && m_bars[std::size_t(end)].placement == placement) ++end;
    const double y = pixelOf(m_exploration->placements[std::size_t(placement)].singleSeconds);
    painter.drawLine(QLineF(rectOf(bar).left(), y, rectOf(end - 1).right(), y));
    bar = end;
  }
}

void CostBars::drawLowerBounds(QCPPainter& painter, int first, int last) const {
  painter.setPen(QPen(Theme::text(), 1, Qt::DotLine));
  for (const LowerBoundSpan& span : lowerBoundSpans()) {
    if (span.last < first || span.first > last) continue;
    painter.drawLine(span.line);
  }
}

std::vector<CostBars::LowerBoundSpan> CostBars::lowerBoundSpans() const {
  std::vector<LowerBoundSpan> spans;
  if (m_bars.empty()) return spans;
  for (const LowerBoundLine& line : lowerBoundLines(*m_exploration, m_bars, m_grouped)) {
    const double y = pixelOf(line.seconds);
    spans.push_back(
        {line.first, line.last, line.seconds, QLineF(rectOf(line.first).left(), y, rectOf(line.last).right(), y)});
  }
  return spans;
}

}  // namespace p2::views
