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
    for (double y = kHatchDistance; y < height; y += kHatchDistance) lines.append({0, y, width, y});
  }
  if (style == Qt::VerPattern || style == Qt::CrossPattern) {
    for (double x = kHatchDistance; x < width; x += kHatchDistance) lines.append({x, 0, x, height});
  }
  for (QLineF& line : lines) line.translate(rect.topLeft());
  painter.setPen(QPen(color, 1));
  painter.drawLines(lines);
}

}  // namespace p2::views
