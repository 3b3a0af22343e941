// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep_plot.h"

#include <algorithm>
#include <cmath>

#include "explore/sweep_text.h"
#include "views/common/category_stroke.h"
#include "views/common/focus_ring.h"
#include "views/common/log_ticker.h"
#include "views/common/plot_style.h"
#include "views/common/quantity_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/shell/summary.h"
#include "views/sweep/curve_labels.h"
#include "views/sweep/sweep_words.h"

namespace p2::views {
namespace {

constexpr int kMarkEvery = 6;  // points
constexpr int kSourceMargin = 32;
constexpr float kBandOpacity = 0.18F;
constexpr double kHeadroom = 2;  // above and below the curves

QColor shade(QColor color, bool stale) {
  if (stale) color.setAlphaF(0.4F);
  return color;
}

QString whatIsPriced(const Sweep& sweep) {
  const CostOptions& cost = sweep.workspace.options.cost;
  QString what = QObject::tr("%1 model, %2").arg(qs(cost.model), qs(nameOf(cost.algorithm)));
  if (sweep.range.over != SweepOver::Bytes) {
    what = QObject::tr("%1 per device, ").arg(shownBytes(cost.bytes)) + what;
  }
  return QObject::tr("predicted time of one run (%1)").arg(what);
}

/// Whether two sweeps differ in figures of links at most.
bool isOfSameDocument(const Sweep& a, const Sweep& b) {
  return a.range == b.range && a.workspace.axes == b.workspace.axes && a.workspace.options == b.workspace.options &&
         a.workspace.system.name == b.workspace.system.name;
}

}  // namespace

SweepPlot::SweepPlot(QWidget* parent) : ThemedPlot(parent), m_labels(new CurveLabels(*this)) {
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  setAccessibleName(tr("The best program over a range"));
  setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  for (QCPAxis* axis : {xAxis, yAxis}) axis->setScaleType(QCPAxis::stLogarithmic);
  setSecondsTicks(*yAxis);
  legend->setVisible(false);
  makeCurves();
  m_source = new QCPTextElement(this);
  m_source->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap);
  m_source->setVisible(false);
  connectMouse();
  applyTheme();
}

// Items are drawn in the order of creation.
void SweepPlot::makeCurves() {
  m_low = addGraph();
  m_high = addGraph();
  m_high->setChannelFillGraph(m_low);
  m_measured = addGraph();
  m_latency = addGraph();
  m_bandwidth = addGraph();
  m_allReduce = addGraph();
  m_best = addGraph();
  m_mark = addGraph();
  for (QCPGraph* scattered : {m_measured, m_mark}) scattered->setLineStyle(QCPGraph::lsNone);
  for (QCPGraph* curve : {m_best, m_allReduce}) curve->setScatterSkip(kMarkEvery - 1);
  for (QCPGraph* graph : {m_low, m_high, m_measured, m_latency, m_bandwidth, m_allReduce, m_best, m_mark}) {
    graph->setSelectable(QCP::stNone);
  }
}

void SweepPlot::setSweep(std::shared_ptr<const Sweep> sweep) {
  // While a slider moves the curves shall be seen to move, not the axes under them.
  const bool keepsView = m_sweep && sweep && isOfSameDocument(*m_sweep, *sweep);
  m_sweep = std::move(sweep);
  m_hovered = -1;
  fill();
  if (!keepsView || !isInView()) fit();
  replot(rpQueuedReplot);
}

void SweepPlot::setParts(bool apart) {
  m_parts = apart;
  fill();
  replot(rpQueuedReplot);
}

void SweepPlot::setMeasured(const AtlasTable* table, const QString& title) {
  m_table = table;
  m_measuredTitle = title;
  fill();
  fit();
}

void SweepPlot::setStale(bool stale) {
  if (std::exchange(m_stale, stale) == stale) return;
  applyTheme();
}

void SweepPlot::setLow(bool low) {
  if (std::exchange(m_isLow, low) == low) return;
  fillMeasured();
  replot(rpQueuedReplot);
}

void SweepPlot::fill() {
  QVector<double> values, best, allReduce, latency, bandwidth, low, high;
  if (m_sweep) {
    for (const SweepPoint& point : m_sweep->points) {
      values << point.value;
      best << point.best.seconds;
      allReduce << point.single.seconds;
      latency << point.best.latencySeconds();
      bandwidth << point.best.seconds - point.best.latencySeconds();
      const auto range = rangeOf(point.best.steps);
      low << (range ? range->low : qQNaN());
      high << (range ? range->high : qQNaN());
    }
    const SweepRange range = m_sweep->range;
    setLogTicks(*xAxis, [range](double value) { return roundLabel(valueText(range, value)); });
    xAxis->setLabel(qs(overText(range)));
    const bool shaded = std::any_of(low.begin(), low.end(), [](double seconds) { return !qIsNaN(seconds); });
    if (shaded) xAxis->setLabel(xAxis->label() + tr(" · shaded: 80 % interval"));
    yAxis->setLabel(whatIsPriced(*m_sweep));
  }
  m_low->setData(values, low, true);
  m_high->setData(values, high, true);
  m_best->setData(values, best, true);
  m_allReduce->setData(values, allReduce, true);
  m_latency->setData(values, latency, true);
  m_bandwidth->setData(values, bandwidth, true);
  m_latency->setVisible(m_parts);
  m_bandwidth->setVisible(m_parts);
  m_mark->setData({}, {});
  fillMeasured();
  fillLabels();
}

void SweepPlot::fillMeasured() {
  QVector<double> bytes, seconds;
  const bool measured = m_sweep && m_table && m_sweep->range.over == SweepOver::Bytes;
  if (measured) {
    for (const AtlasRow& row : m_table->rows) {
      if (row.bytes <= 0 || row.seconds <= 0) continue;
      bytes << row.bytes;
      seconds << row.seconds;
    }
  }
  m_measured->setData(bytes, seconds);
  m_source->setText(measured ? QStringLiteral("✕ ") + m_measuredTitle : QString());
  const bool stated = measured && !m_isLow;
  if (stated != m_source->visible()) {
    m_source->setVisible(stated);
    if (stated) {
      plotLayout()->addElement(1, 0, m_source);
      plotLayout()->setRowStretchFactor(1, 0.001);
    } else {
      plotLayout()->take(m_source);
      plotLayout()->simplify();
    }
  }
  fitSource();
}

// The plot's layout takes a text for one line, however long.
void SweepPlot::fitSource() {
  const QRect room(0, 0, width() - kSourceMargin, 1 << 20);
  const int height = QFontMetrics(m_source->font()).boundingRect(room, Qt::TextWordWrap, m_source->text()).height();
  m_source->setMinimumSize(0, m_source->text().isEmpty() ? 0 : height);
}

void SweepPlot::resizeEvent(QResizeEvent* event) {
  fitSource();
  QCustomPlot::resizeEvent(event);
  // The sentences take as many pixels of a low plot as of a high one.
  if (m_sweep && yAxis->range() == m_fitted) fit();
}

void SweepPlot::fillLabels() {
  std::vector<EndLabel> ends;
  std::vector<LineLabel> lines;
  if (m_sweep) {
    const SweepPoint& last = m_sweep->points.back();
    const double latency = last.best.latencySeconds();
    ends.push_back({singleName(m_sweep->workspace), Theme::text(), last.single.seconds});
    ends.push_back({tr("best: %1").arg(nameOfChoice(*m_sweep, last.best)), Theme::text(), last.best.seconds});
    if (m_parts) {
      ends.push_back({tr("its bandwidth part"), Theme::mutedText(), last.best.seconds - latency});
      ends.push_back({tr("its latency part"), Theme::mutedText(), latency});
    }
    for (const SweepCrossover& crossover : m_sweep->crossovers) {
      lines.push_back({qs(crossoverText(m_sweep->range, crossover)), crossover.value});
    }
  }
  m_labels->setEnds(std::move(ends));
  m_labels->setLines(std::move(lines));
  m_labels->setFaded(m_stale);
  axisRect()->setAutoMargins(QCP::msLeft | QCP::msTop | QCP::msBottom);
  axisRect()->setMargins(QMargins(0, 0, m_labels->roomAtRight(), 0));
}

bool SweepPlot::isInView() const {
  const auto& points = m_sweep->points;
  return std::any_of(points.begin(), points.end(), [this](const SweepPoint& point) {
    return xAxis->range().contains(point.value) && yAxis->range().contains(point.best.seconds);
  });
}

void SweepPlot::fit() {
  if (!m_sweep) return;
  xAxis->setRange(m_sweep->points.front().value, m_sweep->points.back().value);
  fitValues();
  replot(rpQueuedReplot);
}

void SweepPlot::fitValues() {
  double least = 0;
  double most = 0;
  for (const SweepPoint& point : m_sweep->points) {
    if (point.best.seconds > 0 && (least == 0 || point.best.seconds < least)) least = point.best.seconds;
    most = std::max(most, point.single.seconds);
  }
  for (int row = 0; row < measuredCount(); ++row) {
    least = std::min(least, m_measured->dataMainValue(row));
    most = std::max(most, m_measured->dataMainValue(row));
  }
  if (!(least > 0)) return;
  // The sentences at the top stand above the curves.
  const int height = std::max(1, axisRect()->height());
  const double share = std::min(0.5, double(m_labels->roomAtTop(height)) / height);
  const double lower = least / kHeadroom;
  const double upper = most * kHeadroom;
  yAxis->setRange(lower, lower * std::pow(upper / lower, 1 / (1 - share)));
  m_fitted = yAxis->range();
}

void SweepPlot::zoom(double factor) {
  for (QCPAxis* axis : {xAxis, yAxis}) {
    axis->scaleRange(factor, std::sqrt(axis->range().lower * axis->range().upper));
  }
  replot(rpQueuedReplot);
}

QPointF SweepPlot::pixelOf(int point) const {
  const SweepPoint& shown = m_sweep->points[std::size_t(point)];
  return {xAxis->coordToPixel(shown.value), yAxis->coordToPixel(shown.best.seconds)};
}

QPointF SweepPlot::pixelOfMeasured(int row) const {
  return {xAxis->coordToPixel(m_measured->dataMainKey(row)), yAxis->coordToPixel(m_measured->dataMainValue(row))};
}

int SweepPlot::measuredCount() const { return m_measured->dataCount(); }

QString SweepPlot::textOf(int point) const { return pointText(*m_sweep, std::size_t(point)); }

void SweepPlot::applyTheme() {
  stylePlot(*this);
  const QColor best = shade(categoryStroke(0), m_stale);
  const QColor single = shade(categoryStroke(1), m_stale);
  const QColor part = shade(Theme::mutedText(), m_stale);
  QColor band = best;
  band.setAlphaF(band.alphaF() * kBandOpacity);
  for (QCPGraph* edge : {m_low, m_high}) edge->setPen(Qt::NoPen);
  m_high->setBrush(band);
  m_best->setPen(QPen(best, 2.5));
  m_best->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, best, 8));
  m_allReduce->setPen(QPen(single, 2, Qt::DashLine));
  m_allReduce->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(single, 1.5), Theme::surface(), 9));
  m_latency->setPen(QPen(part, 1.2, Qt::DotLine));
  m_bandwidth->setPen(QPen(part, 1.2, Qt::DashDotLine));
  m_measured->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, QPen(Theme::text(), 1.2), Qt::NoBrush, 6));
  m_mark->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Theme::accent(), 2), Qt::NoBrush, 13));
  m_source->setFont(Theme::tabularFont());
  m_source->setTextColor(Theme::mutedText());
  if (m_sweep) fillLabels();
  replot(rpQueuedReplot);
}

}  // namespace p2::views
