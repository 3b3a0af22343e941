// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>
#include <array>

class QFontMetrics;
class QPainter;

namespace p2::views {

/// Parts of a bar's whole length: computing, reducing, exchanging.
using SplitShares = std::array<double, 3>;

/// A bar that begins at the left of `track`, its parts one after the other in colour and hatching.
void paintSplitBar(QPainter& painter, const QRectF& track, const SplitShares& shares, bool stale);

/// "compute", "reduce", "reshard".
[[nodiscard]] QString splitName(std::size_t part);

/// Legend of the parts, in one line.
void paintSplitLegend(QPainter& painter, const QRectF& line);

}  // namespace p2::views
