// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/devices_plot.h"

#include <QEvent>
#include <algorithm>

#include "views/common/focus_ring.h"
#include "views/common/plot_style.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

QSharedPointer<QCPAxisTicker> powersOfTwo() {
  const QSharedPointer<QCPAxisTickerLog> ticker(new QCPAxisTickerLog);
  ticker->setLogBase(2);
  ticker->setSubTickCount(0);
  return ticker;
}

}  // namespace

DevicesPlot::DevicesPlot(QWidget* parent) : ThemedPlot(parent), m_best(addGraph()), m_data(addGraph()) {
  setObjectName(QStringLiteral("strategyDevicesPlot"));
  setAccessibleName(tr("Cost over the number of devices"));
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  setMinimumSize(240, 160);
  m_best->setName(tr("best"));
  m_data->setName(tr("data parallelism"));
  xAxis->setLabel(tr("devices"));
  xAxis->setScaleType(QCPAxis::stLogarithmic);
  xAxis->setTicker(powersOfTwo());
  xAxis->setNumberFormat("f");
  xAxis->setNumberPrecision(0);
  yAxis->setLabel(tr("predicted seconds"));
  yAxis->setScaleType(QCPAxis::stLogarithmic);
  yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog));
  yAxis->setNumberFormat("gb");
  yAxis->setNumberPrecision(2);
  setPoints({});
  applyTheme();
}

void DevicesPlot::setPoints(std::vector<Point> points) {
  m_points = std::move(points);
  m_best->data()->clear();
  m_data->data()->clear();
  double least = 0;
  double most = 0;
  for (const Point& point : m_points) {
    m_best->addData(double(point.devices), point.best);
    if (point.dataParallel) m_data->addData(double(point.devices), *point.dataParallel);
    least = least > 0 ? std::min(least, point.best) : point.best;
    most = std::max({most, point.best, point.dataParallel.value_or(0)});
  }
  // Axes without points would have figures that mean nothing.
  for (QCPAxis* axis : {xAxis, yAxis}) axis->setVisible(!m_points.empty());
  legend->setVisible(!m_points.empty());
  if (!m_points.empty()) xAxis->setRange(0.8, double(m_points.back().devices) * 1.25);
  if (least > 0) yAxis->setRange(least / 1.5, most * 1.5);
  describe();
  replot(rpQueuedReplot);
}

void DevicesPlot::describe() {
  QStringList texts;
  for (const Point& point : m_points) {
    texts << tr("%1: %2").arg(counted(point.devices, tr("device"), tr("devices")), secondsText(point.best));
  }
  setAccessibleDescription(texts.join("; "));
}

void DevicesPlot::setStale(bool stale) {
  m_stale = stale;
  applyTheme();
}

void DevicesPlot::applyTheme() {
  stylePlot(*this);
  const QColor best = m_stale ? Theme::mutedText() : Theme::accent();
  m_best->setPen(QPen(best, 2));
  m_best->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, best, 7));
  m_data->setPen(QPen(Theme::mutedText(), 1.5, Qt::DashLine));
  m_data->setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(Theme::mutedText(), 1.5), Theme::surface(), 7));
  replot(rpQueuedReplot);
}

}  // namespace p2::views
