// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace p2::explorer {

/// The title with an "&" before its first letter that is no Alt key of the menu bar (`taken`, in capitals) or of a
/// label, button, tab or shortcut of the page. Unchanged if each of its letters is. O(widgets of the page).
[[nodiscard]] QString withMnemonic(const QString& title, const QWidget& page, const QString& taken);

}  // namespace p2::explorer
