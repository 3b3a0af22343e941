// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cost/lower_bound_labels.h"

#include <algorithm>

#include "views/common/text.h"
#include "views/common/theme.h"
#include "views/cost/cost_bars.h"

namespace p2::views {
namespace {

constexpr int kAway = 4;
constexpr int kMargin = 15;  // as QCustomPlot has it

QString labelOf(double seconds) { return QObject::tr("≥ %1").arg(secondsText(seconds)); }

}  // namespace

LowerBoundLabels::LowerBoundLabels(QCustomPlot& plot, const CostBars& bars)
    : QObject(&plot), m_plot(plot), m_bars(bars) {
  connect(&plot, &QCustomPlot::afterLayout, this, &LowerBoundLabels::place);
}

void LowerBoundLabels::reserve() {
  const auto spans = m_bars.lowerBoundSpans();
  for (; m_items.size() > spans.size(); m_items.pop_back()) m_plot.removeItem(m_items.back());
  while (m_items.size() < spans.size()) {
    auto* item = new QCPItemText(&m_plot);
    item->setSelectable(false);
    item->setClipToAxisRect(false);
    item->position->setType(QCPItemPosition::ptAbsolute);
    m_items.push_back(item);
  }
  const QFontMetrics metrics(Theme::tabularFont());
  QMargins room(kMargin, kMargin, kMargin, kMargin);
  if (!spans.empty() && m_bars.isGrouped()) room.setBottom(metrics.height() + 2 * kAway);
  if (!spans.empty() && !m_bars.isGrouped()) {
    room.setRight(metrics.horizontalAdvance(labelOf(spans[0].seconds)) + 3 * kAway);
  }
  m_plot.axisRect()->setMinimumMargins(room);
}

void LowerBoundLabels::place() {
  const auto spans = m_bars.lowerBoundSpans();
  const QRectF rect = m_plot.axisRect()->rect();
  const QFontMetrics metrics(Theme::tabularFont());
  for (std::size_t i = 0; i < std::min(m_items.size(), spans.size()); ++i) {
    QCPItemText& item = *m_items[i];
    const QString label = labelOf(spans[i].seconds);
    const double left = std::max(rect.left(), spans[i].line.x1());
    const double right = std::min(rect.right(), spans[i].line.x2());
    const bool fits = right - left >= metrics.horizontalAdvance(label) + kAway;
    item.setVisible(right > left && (fits || !m_bars.isGrouped()));
    item.setText(label);
    item.setFont(Theme::tabularFont());
    QColor color = Theme::text();
    if (m_bars.isStale()) color.setAlphaF(0.4F);
    item.setColor(color);
    if (m_bars.isGrouped()) {
      item.setPositionAlignment(Qt::AlignTop | Qt::AlignHCenter);
      item.position->setCoords((left + right) / 2, rect.bottom() + kAway);
    } else {
      item.setPositionAlignment(Qt::AlignVCenter | Qt::AlignLeft);
      item.position->setCoords(rect.right() + kAway, spans[i].line.y1());
    }
  }
}

}  // namespace p2::views
