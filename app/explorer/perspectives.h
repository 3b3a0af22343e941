// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <span>

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
  views::Perspective* (*make)(views::Session&);
  /// Names of the actions that lead to its further views.
  QStringList (*views)();
  /// Id of its group in the bar, see groups(); empty for a button of its own.
  const char* group = "";
  const char* key = "";    ///< that leads to it, as in "Ctrl+1"
  bool separated = false;  ///< begins a section of the bar
};

/// The pages of the window, in the order of the bar: the way from a cluster to a training job first.
[[nodiscard]] std::span<const PerspectiveRow> perspectives();

void addPerspectives(views::PerspectiveStack& stack, views::PerspectiveBar& bar, views::Session& session);

}  // namespace p2::explorer
