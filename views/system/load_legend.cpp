// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/load_legend.h"

#include <QPainter>

#include "base/units.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kSteps = 20;
constexpr int kScaleWidth = 160;
constexpr int kLeastWidth = 2;  // of links, as in the drawing
constexpr int kMostWidth = 8;

}  // namespace

LoadLegend::LoadLegend(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("loadLegend"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void LoadLegend::setScale(double mostSeconds, bool stale) {
  m_stale = stale;
  m_text = tr("%1 in one run").arg(QString::fromStdString(formatSeconds(mostSeconds)));
  if (stale) m_text += tr(" · out of date");
  setAccessibleName(tr("Links are coloured and widened from idle to busy %1").arg(m_text));
  setToolTip(accessibleName());
  updateGeometry();
  update();
}

QSize LoadLegend::sizeHint() const {
  const int idle = fontMetrics().horizontalAdvance(tr("idle"));
  const int most = fontMetrics().horizontalAdvance(m_text);
  return {idle + kScaleWidth + most + 2 * Theme::kGrid + 2, fontMetrics().lineSpacing()};
}

void LoadLegend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(m_stale ? Theme::mutedText() : Theme::text());
  const int left = fontMetrics().horizontalAdvance(tr("idle")) + Theme::kGrid;
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, tr("idle"));
  painter.drawText(rect().adjusted(left + kScaleWidth + Theme::kGrid, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   m_text);
  for (int i = 0; i < kSteps; ++i) {
    const double fraction = double(i) / (kSteps - 1);
    const double thick = kLeastWidth + fraction * (kMostWidth - kLeastWidth);
    const QRectF bar(left + i * double(kScaleWidth) / kSteps, (height() - thick) / 2, double(kScaleWidth) / kSteps,
                     thick);
    // The outline of the drawing's links, without which the ends of the scale drown in the surface.
    painter.fillRect(bar.adjusted(0, -1, 0, 1), Theme::mutedText());
    painter.fillRect(bar, m_stale ? Theme::line() : Theme::load(fraction));
  }
}

}  // namespace p2::views
