// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/plated_text.h"

namespace p2::views {
namespace {

constexpr float kPlateOpacity = 0.85F;

}  // namespace

void paintPlatedText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text, QColor ground,
                     double pixel) {
  ground.setAlphaF(kPlateOpacity);
  const QRectF words = painter.boundingRect(rect, int(alignment), text);
  painter.fillRect(words.adjusted(-2 * pixel, 0, 2 * pixel, 0) & rect.adjusted(-2 * pixel, 0, 2 * pixel, 0), ground);
  painter.drawText(rect, int(alignment), text);
}

}  // namespace p2::views
