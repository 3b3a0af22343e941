// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "views/shell/perspective.h"

namespace p2::views {
class PerspectiveBar;
class PerspectiveStack;
class Session;
}  // namespace p2::views

namespace p2::explorer {

/// A page of the window. The window, its menus and keys, its pictures and every test that walks through all pages take
/// them from perspectives().
struct PerspectiveRow {
  views::PerspectiveFace (*face)();
  views::PagePlace (*place)();
  views::Perspective* (*make)(views::Session&);
};

/// The pages of the window, in the order of the bar: the way from a cluster to a training job first.
[[nodiscard]] std::span<const PerspectiveRow> perspectives();

/// All pages in alphabetical order, from their headers; see CMakeLists.txt.
[[nodiscard]] std::vector<PerspectiveRow> allPages();

/// Adds pages to a window.
void addPerspectives(std::span<const PerspectiveRow> pages, views::PerspectiveStack& stack, views::PerspectiveBar& bar,
                     views::Session& session);

}  // namespace p2::explorer
