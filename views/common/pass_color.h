// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace p2::views {

/// Forward pass, backward pass, weight gradients, recomputation: fills on which Theme::text() is readable.
[[nodiscard]] QColor passColor(int i);

}  // namespace p2::views
