// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenuBar;
class QWidget;

namespace p2::explorer {

/// Every action of the menus that has a shortcut, menu by menu.
void showShortcuts(const QMenuBar& menus, QWidget* window);
/// What this is, whose work it builds on, and under which licences.
void showAbout(QWidget* window);

}  // namespace p2::explorer
