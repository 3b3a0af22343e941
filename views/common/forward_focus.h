// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace p2::views {

/// Hands the keyboard on to `child` whenever `container` is given it; called again, to another one. Unlike
/// QWidget::setFocusProxy() it leaves the order of Tab alone, which a proxy within its own widget cuts short.
void forwardFocus(QWidget& container, QWidget& child);

}  // namespace p2::views
