// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace p2::views {

/// Draws a ring along the widget's edge while it has the keyboard: for widgets that draw themselves, so that whoever
/// walks with Tab sees where he is. Nothing else of the widget changes.
void showFocusRing(QWidget& widget);

}  // namespace p2::views
