// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPushButton;

namespace p2::views {

class Session;

/// Makes a button set the first axis whose change lets the axes cover all devices, see fitOf(): "Set data to 12".
/// Hidden while there is no such axis. The session must outlive it.
void fitAxesBy(QPushButton& button, Session& session);

}  // namespace p2::views
