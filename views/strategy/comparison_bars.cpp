// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/comparison_bars.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "base/units.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kBarHeight = 6;

}  // namespace

ComparisonBars::ComparisonBars(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("strategyComparison"));
  setAccessibleName(tr("The best strategy and what it is measured against"));
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
  return QString::fromStdString(formatFactor(*bar.cost / *first));
}

QString ComparisonBars::textOf(std::size_t index) const {
  const Bar& bar = m_bars[index];
  const QString factor = factorOf(bar);
  return bar.name + ": " + bar.text + (factor.isEmpty() ? QString() : ", " + factor);
}

int ComparisonBars::rowHeight() const { return fontMetrics().height() + kBarHeight + Theme::kGrid; }

QSize ComparisonBars::sizeHint() const { return {320, rowHeight() * int(std::max(m_bars.size(), m_reserved))}; }
QSize ComparisonBars::minimumSizeHint() const { return {200, sizeHint().height()}; }

void ComparisonBars::paintBar(QPainter& painter, std::size_t index, const QRectF& row) const {
  const Bar& bar = m_bars[index];
  const QRectF words(row.left(), row.top(), row.width(), fontMetrics().height());
  const QString factor = factorOf(bar);
  const QString number = factor.isEmpty() ? bar.text : bar.text + " · " + factor;
  const QFontMetrics tabular(Theme::tabularFont());
  const int numberWidth = std::min(int(words.width()) * 2 / 3, tabular.horizontalAdvance(number) + 1);
  painter.setFont(Theme::tabularFont());
  painter.setPen(m_stale || !bar.cost ? Theme::mutedText() : Theme::text());
  painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, tabular.elidedText(number, Qt::ElideRight, numberWidth));
  painter.setFont(font());
  painter.drawText(words, Qt::AlignVCenter,
                   fontMetrics().elidedText(bar.name, Qt::ElideRight, int(words.width()) - numberWidth - Theme::kGrid));
  double most = 0;
  for (const Bar& other : m_bars) most = std::max(most, other.cost.value_or(0));
  if (!bar.cost || most <= 0) return;
  const QRectF track(row.left(), words.bottom() + 1, row.width() * *bar.cost / most, kBarHeight);
  painter.setPen(QPen(Theme::mutedText(), 1));
  painter.setBrush(m_stale ? Theme::line() : index == 0 ? Theme::accent() : Theme::box(1));
  painter.drawRect(track.adjusted(0.5, 0.5, -0.5, -0.5));
}

void ComparisonBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  for (std::size_t i = 0; i < m_bars.size(); ++i) {
    paintBar(painter, i, QRectF(0, rowHeight() * int(i), width(), rowHeight()));
  }
}

bool ComparisonBars::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto bar = std::size_t(help->pos().y() / rowHeight());
    QToolTip::showText(help->globalPos(),
                       bar < m_bars.size() ? m_bars[bar].meaning + "\n" + m_bars[bar].text : QString(), this);
    return true;
  }
  if (event->type() == QEvent::FontChange) updateGeometry();
  return QWidget::event(event);
}

}  // namespace p2::views
