// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/comparison_bars.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kBarHeight = 9;
constexpr double kLongest = 10;  // times the first: longer bars are cut off, so that the others can be distinguished

/// A gap near the end of a bar that would go on.
void paintBreak(QPainter& painter, const QRectF& track) {
  constexpr double kGap = 4;
  constexpr double kSlant = 4;
  constexpr double kAfter = 12;
  const double x = track.right() - kAfter;
  const QPointF top(x + kSlant, track.top() - 1);
  const QPointF bottom(x, track.bottom() + 1);
  const QPointF along(kGap, 0);
  painter.setPen(Qt::NoPen);
  painter.setBrush(Theme::surface());
  painter.drawPolygon(QPolygonF{top, top + along, bottom + along, bottom});
  painter.setPen(QPen(Theme::mutedText(), 1));
  painter.drawLine(top, bottom);
  painter.drawLine(top + along, bottom + along);
}

}  // namespace

ComparisonBars::ComparisonBars(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("strategyComparison"));
  setAccessibleName(tr("The best strategy and its baselines"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ComparisonBars::reserve(std::size_t bars) {
  m_reserved = bars;
  updateGeometry();
}

void ComparisonBars::setBars(std::vector<Bar> bars) {
  m_bars = std::move(bars);
  QStringList spoken;
  for (std::size_t i = 0; i < m_bars.size(); ++i) spoken << textOf(i);
  setAccessibleDescription(spoken.join("; "));
  updateGeometry();
  update();
}

void ComparisonBars::setStale(bool stale) {
  m_stale = stale;
  update();
}

QString ComparisonBars::factorOf(const Bar& bar) const {
  const std::optional<double> first = m_bars.front().cost;
  if (&bar == &m_bars.front() || !bar.cost || !first || *first <= 0) return {};
  return factorText(*bar.cost / *first);
}

QString ComparisonBars::textOf(std::size_t index) const {
  const Bar& bar = m_bars[index];
  const QString factor = factorOf(bar);
  QString text = bar.name + ": " + bar.text + (factor.isEmpty() ? QString() : ", " + factor);
  return bar.memory.isEmpty() ? text : text + ", " + bar.memory;
}

int ComparisonBars::rowHeight() const { return 2 * fontMetrics().height() + Theme::kGrid / 2; }

bool ComparisonBars::hasSplits() const {
  return std::any_of(m_bars.begin(), m_bars.end(), [](const Bar& bar) { return bar.split.has_value(); });
}

QSize ComparisonBars::sizeHint() const {
  // One more line for the legend.
  return {320, rowHeight() * int(std::max(m_bars.size(), m_reserved)) + fontMetrics().height() + Theme::kGrid / 2};
}
QSize ComparisonBars::minimumSizeHint() const { return {200, sizeHint().height()}; }

int ComparisonBars::memoryWidth() const {
  int width = 0;
  for (const Bar& bar : m_bars) width = std::max(width, fontMetrics().horizontalAdvance(bar.memory));
  return width == 0 ? 0 : width + Theme::kGrid;
}

/// Nothing to measure leaves a line for why.
void ComparisonBars::paintReason(QPainter& painter, const Bar& bar, const QRectF& row) const {
  const QFontMetrics metrics = fontMetrics();
  const QRectF first(row.left(), row.top(), row.width(), metrics.height());
  painter.setPen(Theme::mutedText());
  painter.drawText(first, Qt::AlignVCenter, metrics.elidedText(bar.name, Qt::ElideRight, int(row.width())));
  painter.drawText(first.translated(0, metrics.height()), Qt::AlignVCenter,
                   metrics.elidedText(bar.text, Qt::ElideRight, int(row.width())));
}

void ComparisonBars::paintWords(QPainter& painter, const Bar& bar, const QRectF& line) const {
  const QString factor = factorOf(bar);
  const QString number = factor.isEmpty() ? bar.text : bar.text + " · " + factor;
  const QFontMetrics tabular(Theme::tabularFont());
  const int numberWidth = std::min(int(line.width()) * 2 / 3, tabular.horizontalAdvance(number) + 1);
  painter.setFont(Theme::tabularFont());
  painter.setPen(m_stale ? Theme::mutedText() : Theme::text());
  painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, tabular.elidedText(number, Qt::ElideRight, numberWidth));
  painter.setFont(font());
  painter.drawText(line, Qt::AlignVCenter,
                   fontMetrics().elidedText(bar.name, Qt::ElideRight, int(line.width()) - numberWidth - Theme::kGrid));
}

void ComparisonBars::paintBar(QPainter& painter, std::size_t index, const QRectF& row) const {
  const Bar& bar = m_bars[index];
  if (!bar.cost) return paintReason(painter, bar, row);
  const int line = fontMetrics().height();
  paintWords(painter, bar, QRectF(row.left(), row.top(), row.width(), line));
  const double most = longest();
  if (most <= 0) return;
  const QRectF below(row.left(), row.top() + line, row.width(), line);
  painter.setPen(m_stale ? Theme::mutedText() : bar.fits ? Theme::text() : Theme::bad());
  painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, bar.memory);
  const double length = (row.width() - memoryWidth()) * std::min(*bar.cost / most, 1.0);
  const QRectF track(row.left(), below.center().y() - kBarHeight / 2.0, length, kBarHeight);
  if (bar.split) {
    paintSplitBar(painter, track, *bar.split, m_stale);
  } else {
    painter.setPen(QPen(Theme::mutedText(), 1));
    painter.setBrush(m_stale ? Theme::line() : index == 0 ? Theme::accent() : Theme::box(1));
    painter.drawRect(track.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  if (*bar.cost > most) paintBreak(painter, track);
}

double ComparisonBars::longest() const {
  double most = 0;
  for (const Bar& bar : m_bars) most = std::max(most, bar.cost.value_or(0));
  const double first = m_bars.front().cost.value_or(0);
  return first > 0 ? std::min(most, kLongest * first) : most;
}

void ComparisonBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  for (std::size_t i = 0; i < m_bars.size(); ++i) {
    paintBar(painter, i, QRectF(0, rowHeight() * int(i), width(), rowHeight()));
  }
  if (hasSplits()) {
    paintSplitLegend(painter, QRectF(0, rowHeight() * int(m_bars.size()), width(), fontMetrics().height()));
  }
}

bool ComparisonBars::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto bar = std::size_t(help->pos().y() / rowHeight());
    QToolTip::showText(help->globalPos(), bar < m_bars.size() ? m_bars[bar].meaning + "\n" + textOf(bar) : QString(),
                       this);
    return true;
  }
  if (event->type() == QEvent::FontChange) updateGeometry();
  return QWidget::event(event);
}

}  // namespace p2::views
