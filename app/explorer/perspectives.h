// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace p2::views {
class PerspectiveBar;
class PerspectiveStack;
class Session;
}  // namespace p2::views

namespace p2::explorer {

/// The pages of the window, in the order of the bar: the one place that knows them all.
void addPerspectives(views::PerspectiveStack& stack, views::PerspectiveBar& bar, views::Session& session);

}  // namespace p2::explorer
