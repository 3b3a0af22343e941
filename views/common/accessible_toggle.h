// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace p2::views {

/// Makes a check box, a radio button or a button that stays down do under assistive technology what a click does. Qt
/// only switches its state, and whoever waits for clicks, as perspectives and options of the document do, never hears
/// of it. Called once by a program; more than once is once. A button has to be checkable, or have its action, before it
/// has a text or an accessible name: Qt asks what it is when it gets one, and only once.
void clickWhatIsToggled();

}  // namespace p2::views
