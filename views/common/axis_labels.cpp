// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/axis_labels.h"

#include <qcustomplot.h>

#include <algorithm>

namespace p2::views {

AxisLabels::AxisLabels(QCustomPlot& plot) : QObject(&plot), m_plot(plot) {
  connect(&plot, &QCustomPlot::afterLayout, this, &AxisLabels::shorten);
  connect(&plot, &QCustomPlot::afterReplot, this, &AxisLabels::restore);
}

std::array<QCPAxis*, 2> AxisLabels::axes() const { return {m_plot.xAxis, m_plot.yAxis}; }

// A label is centred next to its axis, and may reach as far beyond one end as there is room beyond both.
void AxisLabels::shorten() {
  const QRect inner = m_plot.axisRect()->rect();
  const QRect outer = m_plot.axisRect()->outerRect();
  const int across = inner.width() + 2 * std::min(inner.left() - outer.left(), outer.right() - inner.right());
  const int up = inner.height() + 2 * std::min(inner.top() - outer.top(), outer.bottom() - inner.bottom());
  const std::array<int, 2> room{across, up};
  for (std::size_t i = 0; i < room.size(); ++i) {
    QCPAxis& axis = *axes()[i];
    m_whole[i] = axis.label();
    const QFontMetrics metrics(axis.labelFont());
    QString label = m_whole[i];
    // "predicted time (paper model, ring)": keeps the model as long as there is room for it.
    if (metrics.horizontalAdvance(label) > room[i]) label.remove(QStringLiteral("predicted "));
    if (metrics.horizontalAdvance(label) > room[i]) label = label.section(QStringLiteral(" ("), 0, 0);
    axis.setLabel(metrics.elidedText(label, Qt::ElideRight, room[i]));
  }
}

void AxisLabels::restore() {
  for (std::size_t i = 0; i < m_whole.size(); ++i) {
    if (!m_whole[i].isEmpty()) axes()[i]->setLabel(m_whole[i]);
    m_whole[i].clear();
  }
}

}  // namespace p2::views
