// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace p2::views {

/// Object name of the menu whose title changes with the page.
inline constexpr QLatin1String kPageMenu("pageMenu");

/// Alt letters, in capitals, of the menus that every page has: those in the menu bar of the page's window without
/// kPageMenu. Empty without a menu bar.
[[nodiscard]] QString menuLettersOf(const QWidget& page);

/// The title with an "&" before its first letter that is no Alt key of the menu bar (`taken`, in capitals) or of a
/// label, button, tab or shortcut of the page. Unchanged if each of its letters is. O(widgets of the page).
[[nodiscard]] QString withMnemonic(const QString& title, const QWidget& page, const QString& taken);

/// Gives every label of a field in `form` the first of its letters that nothing else has as its Alt key, neither on the
/// page nor in the menu bar, where the page's own menu may still get its `title`; none where all are used. The form is
/// a part of the page. O(widgets of the page).
void makeMnemonicsDistinct(QWidget& form, const QWidget& page, const QString& title);

}  // namespace p2::views
