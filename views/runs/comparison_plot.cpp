// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/comparison_plot.h"

#include <algorithm>
#include <cmath>

#include "views/common/focus_ring.h"
#include "views/common/log_ticker.h"
#include "views/common/plot_style.h"
#include "views/common/ratio_text.h"
#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/runs/program_names.h"

namespace p2::views {
namespace {

constexpr int kLabelGap = 4;

constexpr double kNear = 12;     // pixels from a point that still mean it
constexpr double kMargin = 1.3;  // beyond the outermost times

QString timeText(double seconds) { return secondsText(seconds); }

QCPRange rangeAround(const std::vector<RunRow>& rows) {
  double least = INFINITY;
  double most = 0;
  for (const RunRow& row : rows) {
    least = std::min({least, row.result->seconds.median, *row.predicted});
    most = std::max({most, row.result->seconds.median, *row.predicted});
  }
  return most > 0 ? QCPRange(least / kMargin, most * kMargin) : QCPRange(1e-6, 1);
}

}  // namespace

ComparisonPlot::ComparisonPlot(QWidget* parent)
    : ThemedPlot(parent),
      m_points(addGraph()),
      m_spread(new QCPErrorBars(xAxis, yAxis)),
      m_chosen(addGraph()),
      m_diagonal(new QCPItemLine(this)),
      m_right(new QCPItemText(this)) {
  setAccessibleName(tr("Measured against predicted times"));
  setFocusPolicy(Qt::StrongFocus);
  showFocusRing(*this);
  for (QCPGraph* graph : {m_points, m_chosen}) graph->setLineStyle(QCPGraph::lsNone);
  m_spread->setDataPlottable(m_points);
  for (QCPAxis* axis : {xAxis, yAxis}) {
    axis->setScaleType(QCPAxis::stLogarithmic);
    setSecondsTicks(*axis);
    axis->setRange(1e-6, 1);
  }
  xAxis->setLabel(tr("predicted, one run"));
  yAxis->setLabel(tr("measured"));
  m_right->setText(tr("as predicted"));
  m_right->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
  // Below the diagonal, which is lower at the beginning of the words than at their end.
  connect(this, &QCustomPlot::afterLayout, this, [this] {
    const QSize size = axisRect()->size();
    const int words = QFontMetrics(m_right->font()).horizontalAdvance(m_right->text()) + kLabelGap;
    m_right->setPadding({0, words * size.height() / std::max(1, size.width()) + 2, kLabelGap, 0});
  });
  applyTheme();
}

void ComparisonPlot::setRows(std::vector<RunRow> rows) {
  std::erase_if(rows, [](const RunRow& row) { return row.failed() || !row.isCompared() || !(*row.predicted > 0); });
  std::stable_sort(rows.begin(), rows.end(), [](const RunRow& a, const RunRow& b) {
    return a.result->seconds.median < b.result->seconds.median;
  });
  m_rows = std::move(rows);
  const QCPRange range = rangeAround(m_rows);
  xAxis->setRange(range);
  yAxis->setRange(range);
  m_diagonal->start->setCoords(range.lower, range.lower);
  m_diagonal->end->setCoords(range.upper, range.upper);
  m_right->position->setCoords(range.upper, range.upper);
  m_points->data()->clear();
  QVector<double> below, above;
  // Points are sorted by prediction, spreads by index.
  std::vector<const RunRow*> byPrediction;
  for (const RunRow& row : m_rows) byPrediction.push_back(&row);
  std::stable_sort(byPrediction.begin(), byPrediction.end(),
                   [](const RunRow* a, const RunRow* b) { return *a->predicted < *b->predicted; });
  for (const RunRow* row : byPrediction) {
    const Spread& seconds = row->result->seconds;
    m_points->addData(*row->predicted, seconds.median);
    below.append(seconds.median - seconds.min);
    above.append(seconds.max - seconds.median);
  }
  m_spread->setData(below, above);
  m_chosen->data()->clear();
  replot(rpQueuedReplot);
}

void ComparisonPlot::setSelected(qint64 id) {
  m_chosen->data()->clear();
  for (const RunRow& row : m_rows) {
    if (row.id == id) m_chosen->addData(*row.predicted, row.result->seconds.median);
  }
  replot(rpQueuedReplot);
}

QPointF ComparisonPlot::pointOf(std::size_t row) const {
  return {xAxis->coordToPixel(*m_rows[row].predicted), yAxis->coordToPixel(m_rows[row].result->seconds.median)};
}

int ComparisonPlot::rowAt(QPointF position) const {
  int nearest = -1;
  double least = kNear;
  for (std::size_t row = 0; row < m_rows.size(); ++row) {
    const QPointF away = pointOf(row) - position;
    const double distance = std::hypot(away.x(), away.y());
    if (distance >= least) continue;
    nearest = int(row);
    least = distance;
  }
  return nearest;
}

QString ComparisonPlot::textOf(const RunRow& row) const {
  const Spread& seconds = row.result->seconds;
  return tr("%1 %2\npredicted %3, measured %4 (%5 to %6): %7")
      .arg(row.matrix, shortProgramName(row.program), timeText(*row.predicted), timeText(seconds.median),
           timeText(seconds.min), timeText(seconds.max), slowerThan(seconds.median, *row.predicted));
}

QString ComparisonPlot::toolTipAt(const QPoint& place) const {
  const int at = rowAt(place);
  return at < 0 ? QString() : textOf(m_rows[std::size_t(at)]);
}

void ComparisonPlot::keyPressEvent(QKeyEvent* event) {
  const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  if (step == 0 || m_rows.empty()) return QCustomPlot::keyPressEvent(event);
  int at = step > 0 ? -1 : int(m_rows.size());
  for (std::size_t row = 0; row < m_rows.size() && !m_chosen->data()->isEmpty(); ++row) {
    const auto& chosen = *m_chosen->data()->constBegin();
    if (chosen.key == *m_rows[row].predicted && chosen.value == m_rows[row].result->seconds.median) at = int(row);
  }
  const RunRow row = m_rows[std::size_t(std::clamp(at + step, 0, int(m_rows.size()) - 1))];
  setAccessibleDescription(textOf(row));
  setSelected(row.id);
  emit runClicked(row.id);
}

void ComparisonPlot::mouseReleaseEvent(QMouseEvent* event) {
  QCustomPlot::mouseReleaseEvent(event);
  if (const int at = rowAt(event->position()); at >= 0) emit runClicked(m_rows[std::size_t(at)].id);
}

void ComparisonPlot::applyTheme() {
  stylePlot(*this);
  m_points->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, Theme::category(0), 7));
  QColor pale = Theme::category(0);
  pale.setAlphaF(0.4F);
  m_spread->setPen(QPen(pale));
  m_chosen->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Theme::accent(), 2), Qt::NoBrush, 14));
  m_diagonal->setPen(QPen(Theme::mutedText(), 1, Qt::DashLine));
  m_right->setColor(Theme::mutedText());
  m_right->setFont(Theme::tabularFont());
  replot(rpQueuedReplot);
}

}  // namespace p2::views
