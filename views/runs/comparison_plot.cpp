// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/comparison_plot.h"

#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "views/common/focus_ring.h"
#include "views/common/plot_style.h"
#include "views/common/theme.h"

namespace p2::views {

ComparisonPlot::ComparisonPlot(QWidget* parent)
    : QCustomPlot(parent),
      m_measured(addGraph()),
      m_spread(new QCPErrorBars(xAxis, yAxis)),
      m_predicted(addGraph()),
      m_mark(new QCPItemStraightLine(this)) {
  setAccessibleName(tr("Measured and predicted times"));
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  m_measured->setName(tr("measured, median"));
  m_measured->setLineStyle(QCPGraph::lsNone);
  m_spread->setDataPlottable(m_measured);
  m_spread->removeFromLegend();
  m_predicted->setName(tr("predicted"));
  m_predicted->setLineStyle(QCPGraph::lsNone);
  m_mark->setVisible(false);
  xAxis->setLabel(tr("runs, fastest measured first"));
  xAxis->grid()->setVisible(false);
  xAxis->setTicks(false);
  yAxis->setLabel(tr("seconds of one repetition"));
  legend->setVisible(true);
  axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignLeft);
  setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  axisRect()->setRangeDrag(Qt::Horizontal);
  axisRect()->setRangeZoom(Qt::Horizontal);
  applyTheme();
}

void ComparisonPlot::setRows(std::vector<RunRow> rows) {
  std::erase_if(rows, [](const RunRow& row) { return row.failed() || !row.isCompared(); });
  std::stable_sort(rows.begin(), rows.end(), [](const RunRow& a, const RunRow& b) {
    return a.result->seconds.median < b.result->seconds.median;
  });
  m_rows = std::move(rows);
  QVector<double> places, measured, below, above, predicted;
  double most = 0;
  for (const RunRow& row : m_rows) {
    const Spread& seconds = row.result->seconds;
    places.append(double(places.size()));
    measured.append(seconds.median);
    below.append(seconds.median - seconds.min);
    above.append(seconds.max - seconds.median);
    predicted.append(*row.predicted);
    most = std::max({most, seconds.max, *row.predicted});
  }
  m_measured->setData(places, measured, true);
  m_spread->setData(below, above);
  m_predicted->setData(places, predicted, true);
  m_mark->setVisible(false);
  xAxis->setRange(-0.5, std::max(0.5, double(m_rows.size()) - 0.5));
  yAxis->setRange(0, most > 0 ? most * 1.1 : 1);
  replot(rpQueuedReplot);
}

void ComparisonPlot::setSelected(qint64 id) {
  const auto found = std::find_if(m_rows.begin(), m_rows.end(), [id](const RunRow& row) { return row.id == id; });
  m_mark->setVisible(found != m_rows.end());
  const auto place = double(found - m_rows.begin());
  m_mark->point1->setCoords(place, 0);
  m_mark->point2->setCoords(place, 1);
  replot(rpQueuedReplot);
}

int ComparisonPlot::rowAt(QPointF position) const {
  const double place = std::round(xAxis->pixelToCoord(position.x()));
  return place >= 0 && place < double(m_rows.size()) && axisRect()->rect().contains(position.toPoint()) ? int(place)
                                                                                                        : -1;
}

bool ComparisonPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QCustomPlot::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QString text;
  if (const int at = rowAt(help->pos()); at >= 0) {
    const RunRow& row = m_rows[std::size_t(at)];
    const Spread& seconds = row.result->seconds;
    const auto time = [](double value) { return QString::fromStdString(formatSeconds(value)); };
    text = tr("%1 %2\nmeasured %3 (%4 to %5), predicted %6")
               .arg(row.matrix, row.program, time(seconds.median), time(seconds.min), time(seconds.max),
                    time(*row.predicted));
  }
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

void ComparisonPlot::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyTheme();
  QCustomPlot::changeEvent(event);
}

void ComparisonPlot::mouseReleaseEvent(QMouseEvent* event) {
  QCustomPlot::mouseReleaseEvent(event);
  if (const int at = rowAt(event->position()); at >= 0) emit runClicked(m_rows[std::size_t(at)].id);
}

void ComparisonPlot::applyTheme() {
  stylePlot(*this);
  m_measured->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, Theme::category(0), 7));
  m_spread->setPen(QPen(Theme::category(0)));
  m_predicted->setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(Theme::category(1), 2), Qt::NoBrush, 9));
  m_mark->setPen(QPen(Theme::accent(), 1, Qt::DashLine));
  replot(rpQueuedReplot);
}

}  // namespace p2::views
