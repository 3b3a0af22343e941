// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace p2::views {

/// Makes assistive technology trigger a click on checkable buttons. Qt only toggles their state, so listeners to
/// clicks, such as perspectives and document options, would miss it. Install once per program; further calls have no
/// effect. A button must be checkable, or have its action, before it gets a text or an accessible name: Qt queries its
/// role then, and only once.
void clickWhatIsToggled();

}  // namespace p2::views
