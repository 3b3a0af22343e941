// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/cost_plot.h"

#include <QApplication>
#include <QKeyEvent>
#include <algorithm>
#include <set>

#include "base/units.h"
#include "views/common/focus_ring.h"
#include "views/common/log_ticker.h"
#include "views/common/plot_style.h"
#include "views/common/program_notation.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/cost/best_rows.h"
#include "views/cost/cost_bars.h"
#include "views/cost/cost_legend.h"
#include "views/cost/lower_bound_labels.h"
#include "views/shell/summary.h"

namespace p2::views {
namespace {

QString valueLabel(const CostOptions& cost) { return QObject::tr("predicted time (%1)").arg(pricedHow(cost)); }

/// Evenly spaced times with their unit.
class SecondsTicker : public QCPAxisTicker {
  QString getTickLabel(double tick, const QLocale&, QChar, int) override { return roundLabel(formatSeconds(tick)); }
};

}  // namespace

CostPlot::CostPlot(QWidget* parent)
    : ThemedPlot(parent), m_bars(new CostBars(xAxis, yAxis)), m_limits(new LowerBoundLabels(*this, *m_bars)) {
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  setAccessibleName(tr("Costs of all programs"));
  setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  axisRect()->setRangeDrag(Qt::Horizontal);
  axisRect()->setRangeZoom(Qt::Horizontal);
  xAxis->grid()->setVisible(false);
  xAxis->setTicks(false);
  legend->setVisible(true);
  yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new SecondsTicker));
  putLegendAside();
  connectMouse();
  connect(xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, &CostPlot::keepInside);
  applyTheme();
}

void CostPlot::putLegendAside() {
  auto* side = new QCPLayoutGrid;
  plotLayout()->addElement(0, 1, side);
  plotLayout()->setColumnStretchFactor(1, 0.001);
  side->addElement(0, 0, legend);
  side->addElement(1, 0, new QCPLayoutElement(this));
  side->setRowStretchFactor(0, 0.001);
  side->setMargins(QMargins(0, Theme::kGrid, Theme::kGrid, 0));
}

void CostPlot::connectMouse() {
  connect(this, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    m_pressedAt = event->pos();
    setSelectionRectMode(event->modifiers() & Qt::ShiftModifier ? QCP::srmZoom : QCP::srmNone);
  });
  connect(this, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if (event->buttons() == Qt::NoButton) hover(m_bars->barAt(event->pos()));
  });
  connect(this, &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
    const bool dragged = (event->pos() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    const int bar = m_bars->barAt(event->pos());
    if (event->button() == Qt::LeftButton && !dragged && bar >= 0) emit barClicked(bar);
  });
  connect(this, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
    const int bar = m_bars->barAt(event->pos());
    if (bar >= 0) emit barActivated(bar);
  });
}

void CostPlot::setSeries(std::shared_ptr<const Exploration> exploration, const CostSeries& series, bool grouped) {
  yAxis->setLabel(valueLabel(exploration->workspace.options.cost));
  m_bars->setSeries(std::move(exploration), series.bars);
  m_bars->setGrouped(grouped);
  m_hovered = -1;
  fillLegendFrom(series.bars);
  m_limits->reserve();
  fit();
}

void CostPlot::fillLegendFrom(const std::vector<CostBar>& bars) {
  std::set<int> placements;
  for (const CostBar& bar : bars) placements.insert(bar.placement);
  fillLegend(*legend, exploration(), m_bars->colours(), {placements.begin(), placements.end()}, m_isStacked);
}

void CostPlot::setStacked(bool stacked) {
  m_bars->setStacked(stacked);
  m_isStacked = stacked;
  if (m_bars->exploration()) fillLegendFrom(bars());
  replot(rpQueuedReplot);
}

void CostPlot::setLogarithmic(bool logarithmic) {
  yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  if (logarithmic) {
    setSecondsTicks(*yAxis);
  } else {
    yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new SecondsTicker));
  }
  fitValues();
  replot(rpQueuedReplot);
}

void CostPlot::setStale(bool stale) {
  m_bars->setStale(stale);
  replot(rpQueuedReplot);
}

void CostPlot::setSelected(int placement, int program) {
  const auto found = std::find_if(bars().begin(), bars().end(), [=](const CostBar& bar) {
    return bar.placement == placement && bar.program == program;
  });
  m_bars->setSelected(found == bars().end() ? -1 : int(found - bars().begin()));
  replot(rpQueuedReplot);
}

const std::vector<CostBar>& CostPlot::bars() const { return m_bars->bars(); }
const Exploration& CostPlot::exploration() const { return *m_bars->exploration(); }
QRectF CostPlot::rectOf(int bar) const { return m_bars->rectOf(bar); }
QLineF CostPlot::whiskerOf(int bar) const { return m_bars->whiskerOf(bar); }
QString CostPlot::textOf(int bar) const {
  const CostBar& shown = bars()[std::size_t(bar)];
  const PlacementResult& placement = exploration().placements[std::size_t(shown.placement)];
  QStringList steps;
  for (const StepCost& step : stepsOf(exploration(), shown)) {
    const QString choice = step.protocol == Protocol::None ? QString() : " (" + qs(choiceText(step)) + ")";
    steps.append(secondsText(step.seconds) + choice);
    if (isFasterWorthSaying(step)) steps.back() += "; " + qs(fasterChoiceText(step));
  }
  const std::string limits = timesLowerBound(shown.rankedSeconds(), placement.limit);
  const QString overlapped =
      shown.overlapped <= 0 ? QString() : tr(", %1 when steps overlap").arg(secondsText(shown.overlapped));
  return tr("%1 %2 · %3 · %4, %5 over %8%6 · steps: %7")
      .arg(Theme::categoryLetter(shown.placement), qs(placement.matrix.text()),
           programNotation(*placement.hierarchy, programOf(exploration(), shown)),
           qs(rangeText(shown.seconds, m_bars->rangeAt(bar))) + overlapped, factorText(shown.speedup),
           limits.empty() ? QString() : ", " + qs(limits), steps.join(" + "), singleName(exploration().workspace));
}

void CostPlot::fit() {
  xAxis->setRange(-0.5, std::max(0.5, double(bars().size()) - 0.5));
  fitValues();
  replot(rpQueuedReplot);
}

void CostPlot::fitValues() {
  if (m_bars->largest() <= 0) return;
  if (yAxis->scaleType() == QCPAxis::stLogarithmic) {
    yAxis->setRange(m_bars->smallest() / 2, m_bars->largest() * 1.5);
  } else {
    yAxis->setRange(0, m_bars->largest() * 1.1);
  }
}

void CostPlot::zoom(double factor) {
  const double center = m_hovered >= 0 ? m_hovered : xAxis->range().center();
  xAxis->scaleRange(factor, center);
  replot(rpQueuedReplot);
}

void CostPlot::keepInside(const QCPRange& range) {
  const double count = std::max<double>(1, double(bars().size()));
  QCPRange kept = range.bounded(-0.5, count - 0.5);
  if (kept.size() < 1) kept = QCPRange(kept.center() - 0.5, kept.center() + 0.5);
  if (kept != range) xAxis->setRange(kept);
}

void CostPlot::hover(int bar) {
  if (bar == m_hovered) return;
  m_hovered = bar;
  m_bars->setHovered(bar);
  setAccessibleDescription(bar < 0 ? QString() : textOf(bar));
  replot(rpQueuedReplot);
  emit barHovered(bar);
}

QString CostPlot::toolTipAt(const QPoint& place) const {
  const int bar = m_bars->barAt(place);
  return bar < 0 ? QString() : textOf(bar).replace(" · ", "\n");
}

void CostPlot::leave() { hover(-1); }

void CostPlot::keyPressEvent(QKeyEvent* event) {
  const int count = static_cast<int>(bars().size());
  if (event->key() == Qt::Key_Right && count > 0) {
    hover(std::min(m_hovered + 1, count - 1));
  } else if (event->key() == Qt::Key_Left && count > 0) {
    hover(std::max(m_hovered - 1, 0));
  } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_hovered >= 0) {
    emit barClicked(m_hovered);
  } else {
    QCustomPlot::keyPressEvent(event);
  }
}

void CostPlot::applyTheme() {
  stylePlot(*this);
  selectionRect()->setPen(QPen(Theme::accent(), 1, Qt::DashLine));
  selectionRect()->setBrush(Qt::NoBrush);
  replot(rpQueuedReplot);
}

}  // namespace p2::views
