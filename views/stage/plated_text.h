// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPainter>

namespace p2::views {

/// Text in the painter's pen that lines behind it do not strike through: it stands on a plate of the colour `ground`,
/// which they shine through a little. `pixel` is a widget pixel in the painter's units.
void paintPlatedText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text, QColor ground,
                     double pixel);

}  // namespace p2::views
