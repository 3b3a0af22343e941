// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QWidget;

namespace p2::explorer {

/// Calls `then` once, after the window's first picture has been painted.
void onFirstPaint(QWidget& window, std::function<void()> then);

}  // namespace p2::explorer
