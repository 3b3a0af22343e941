// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace p2::views {

/// Theme::category(i) as a line, a mark or the edge of a fill: 3:1 on surface(), window() and box(0), which some of the
/// fills are not.
[[nodiscard]] QColor categoryStroke(int i);
/// Around a field: 3:1 on surface() and window(). What only tells parts of a page apart is Theme::line().
[[nodiscard]] QColor fieldEdge();

}  // namespace p2::views
