// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/load_legend.h"

#include <QLinearGradient>
#include <QPainter>

#include "views/common/text.h"
#include "views/common/theme.h"

namespace p2::views {
namespace {

constexpr int kStops = 16;
constexpr int kScaleWidth = 160;
constexpr double kLeastWidth = 2;  // of links, as in the drawing
constexpr double kMostWidth = 6;

}  // namespace

LoadLegend::LoadLegend(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("loadLegend"));
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void LoadLegend::setScale(double mostSeconds, bool stale) {
  m_stale = stale;
  m_text = tr("%1 in one run").arg(secondsText(mostSeconds));
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
  QLinearGradient ramp(left, 0, left + kScaleWidth, 0);
  for (int i = 0; i <= kStops; ++i) {
    const double fraction = double(i) / kStops;
    ramp.setColorAt(fraction, m_stale ? Theme::line() : Theme::load(fraction));
  }
  const double middle = height() / 2.0;
  const QPolygonF wedge({{double(left), middle - kLeastWidth / 2},
                         {double(left + kScaleWidth), middle - kMostWidth / 2},
                         {double(left + kScaleWidth), middle + kMostWidth / 2},
                         {double(left), middle + kLeastWidth / 2}});
  painter.setRenderHint(QPainter::Antialiasing);
  // The outline of the drawing's links, without which the ends of the scale drown in the surface.
  painter.setPen(QPen(Theme::mutedText(), 1));
  painter.setBrush(ramp);
  painter.drawPolygon(wedge);
}

}  // namespace p2::views
