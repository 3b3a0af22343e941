// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/present/shown_run.h"

class QWidget;

namespace p2::views {

class Player;
class PresentWindow;

/// Shows a run in a window at the place at which the player stands, and from then on as it moves.
void showRun(PresentWindow& window, ShownRun run, Player& player);
/// Shows a run on the whole screen.
PresentWindow* presentRun(ShownRun run, Player& player, QWidget* parent);

}  // namespace p2::views
