// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace p2::views {

/// Draws a focus ring around a widget that paints itself. The widget is otherwise unchanged.
void showFocusRing(QWidget& widget);

}  // namespace p2::views
