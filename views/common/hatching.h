// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>

class QPainter;

namespace p2::views {

/// Fills with lines that end at the rectangle's edge. Pattern brushes and clips do not survive in every SVG viewer.
void hatch(QPainter& painter, const QRectF& rect, Qt::BrushStyle style, const QColor& color);

}  // namespace p2::views
