// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/accuracy/quality_plot.h"

#include <QKeyEvent>
#include <algorithm>

#include "base/units.h"
#include "views/common/accessible_items.h"
#include "views/common/category_stroke.h"
#include "views/common/focus_ring.h"
#include "views/common/log_ticker.h"
#include "views/common/plot_style.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr double kWithin = 0.25;
constexpr double kReach = 8;  // pixels around a point

}  // namespace

QualityPlot::QualityPlot(QWidget* parent) : ThemedPlot(parent), m_right(addGraph()) {
  setObjectName("qualityPlot");
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  setAccessibleName(tr("Predicted against measured times"));
  for (QCPAxis* axis : {xAxis, yAxis}) {
    axis->setScaleType(QCPAxis::stLogarithmic);
    setSecondsTicks(*axis);
  }
  xAxis->setLabel(tr("measured"));
  yAxis->setLabel(tr("predicted"));
  m_right->setName(tr("as measured"));
  for (QCPGraph*& near : m_near) {
    near = addGraph();
    near->removeFromLegend();
  }
  m_near[0]->setName(tr("within 25 %"));
  m_near[0]->addToLegend();
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    m_bands[band] = addGraph();
    m_bands[band]->setLineStyle(QCPGraph::lsNone);
    m_bands[band]->setName(bandTitle(band));
  }
  m_ring = addGraph();
  m_ring->setLineStyle(QCPGraph::lsNone);
  m_ring->removeFromLegend();
  legend->setVisible(true);
  axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignLeft);
  setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  connect(this, &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    if (event->buttons() == Qt::NoButton) hover(pointAt(event->pos()));
  });
  applyTheme();
}

void QualityPlot::setPoints(std::vector<QualityPoint> points) {
  hover(-1);
  std::ranges::stable_sort(points, {}, &QualityPoint::measured);
  m_points = std::move(points);
  std::array<QVector<double>, kSizeBands> measured;
  std::array<QVector<double>, kSizeBands> predicted;
  double least = 1e-6;
  double most = 1;
  for (std::size_t i = 0; i < m_points.size(); ++i) {
    const QualityPoint& point = m_points[i];
    const std::size_t band = sizeBand(Bytes(point.bytes));
    measured[band] << point.measured;
    predicted[band] << point.predicted;
    const auto [low, high] = std::minmax(point.measured, point.predicted);
    least = i == 0 ? low : std::min(least, low);
    most = i == 0 ? high : std::max(most, high);
  }
  least /= 2;
  most *= 2;
  for (std::size_t band = 0; band < kSizeBands; ++band) m_bands[band]->setData(measured[band], predicted[band]);
  m_right->setData({least, most}, {least, most}, true);
  m_near[0]->setData({least, most}, {least * (1 + kWithin), most * (1 + kWithin)}, true);
  m_near[1]->setData({least, most}, {least * (1 - kWithin), most * (1 - kWithin)}, true);
  for (QCPAxis* axis : {xAxis, yAxis}) axis->setRange(least, most);
  replot(rpQueuedReplot);
}

QPointF QualityPlot::pixelOf(std::size_t point) const {
  return {xAxis->coordToPixel(m_points[point].measured), yAxis->coordToPixel(m_points[point].predicted)};
}

QString QualityPlot::textOf(std::size_t point) const {
  const QualityPoint& shown = m_points[point];
  const auto text = [](const std::string& figure) { return qs(figure); };
  const double percent = 100 * (shown.predicted / shown.measured - 1);
  return tr("%1: measured %2, predicted %3 (%4 %) · %5")
      .arg(text(formatBytes(Bytes(shown.bytes))), text(formatSeconds(shown.measured)),
           text(formatSeconds(shown.predicted)),
           QStringLiteral("%1%2")
               .arg(percent > 0   ? "+"
                    : percent < 0 ? "−"
                                  : "")
               .arg(std::abs(percent), 0, 'f', 0),
           tableTitle(*shown.table));
}

int QualityPlot::pointAt(QPointF position) const {
  double least = kReach;
  int nearest = -1;
  for (std::size_t point = 0; point < m_points.size(); ++point) {
    const double away = QLineF(pixelOf(point), position).length();
    if (away >= least) continue;
    least = away;
    nearest = int(point);
  }
  return nearest;
}

void QualityPlot::hover(int point) {
  if (std::exchange(m_hovered, point) == point) return;
  m_ring->setData({}, {});
  QString text;
  if (point >= 0) {
    const QualityPoint& shown = m_points[std::size_t(point)];
    m_ring->addData(shown.measured, shown.predicted);
    text = textOf(std::size_t(point));
  }
  announce(*this, text);
  emit pointHovered(text);
  replot(rpQueuedReplot);
}

QString QualityPlot::toolTipAt(const QPoint& place) const {
  const int point = pointAt(place);
  return point < 0 ? QString() : textOf(std::size_t(point));
}

void QualityPlot::leave() { hover(-1); }

void QualityPlot::keyPressEvent(QKeyEvent* event) {
  const int last = int(m_points.size()) - 1;
  if (event->key() == Qt::Key_Left) return hover(std::min(std::max(m_hovered - 1, 0), last));
  if (event->key() == Qt::Key_Right) return hover(std::min(m_hovered + 1, last));
  if (event->key() == Qt::Key_Home) return hover(std::min(0, last));
  if (event->key() == Qt::Key_End) return hover(last);
  QCustomPlot::keyPressEvent(event);
}

void QualityPlot::applyTheme() {
  stylePlot(*this);
  m_right->setPen(QPen(Theme::text(), 1));
  for (QCPGraph* near : m_near) near->setPen(QPen(Theme::mutedText(), 1, Qt::DotLine));
  using Shape = QCPScatterStyle::ScatterShape;
  constexpr std::array<Shape, kSizeBands> kShapes{QCPScatterStyle::ssTriangle, QCPScatterStyle::ssCircle,
                                                  QCPScatterStyle::ssSquare};
  for (std::size_t band = 0; band < kSizeBands; ++band) {
    m_bands[band]->setScatterStyle(
        QCPScatterStyle(kShapes[band], QPen(categoryStroke(int(band)), 1.5), Qt::NoBrush, 7));
  }
  m_ring->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Theme::accent(), 2), Qt::NoBrush, 13));
  replot(rpQueuedReplot);
}

}  // namespace p2::views
