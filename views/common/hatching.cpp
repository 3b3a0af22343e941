// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/hatching.h"

#include <QPainter>
#include <algorithm>

namespace p2::views {

void hatch(QPainter& painter, const QRectF& rect, Qt::BrushStyle style, const QColor& color) {
  constexpr double kHatchDistance = 6;
  const double width = rect.width();
  const double height = rect.height();
  QVector<QLineF> lines;
  const bool rising = style == Qt::BDiagPattern || style == Qt::DiagCrossPattern;
  const bool falling = style == Qt::FDiagPattern || style == Qt::DiagCrossPattern;
  for (double sum = kHatchDistance; (rising || falling) && sum < width + height; sum += kHatchDistance) {
    const double left = std::max(0.0, sum - height);
    const double right = std::min(width, sum);
    if (rising) lines.append({left, sum - left, right, sum - right});
    if (falling) lines.append({width - left, sum - left, width - right, sum - right});
  }
  if (style == Qt::HorPattern || style == Qt::CrossPattern) {
    for (int i = 1; i * kHatchDistance < height; ++i) lines.append({0, i * kHatchDistance, width, i * kHatchDistance});
  }
  if (style == Qt::VerPattern || style == Qt::CrossPattern) {
    for (int i = 1; i * kHatchDistance < width; ++i) lines.append({i * kHatchDistance, 0, i * kHatchDistance, height});
  }
  for (QLineF& line : lines) line.translate(rect.topLeft());
  painter.setPen(QPen(color, 1));
  painter.drawLines(lines);
}

}  // namespace p2::views
