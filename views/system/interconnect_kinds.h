// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "system/system.h"

namespace p2::views {

/// The kinds of interconnects that join anything.
[[nodiscard]] std::vector<InterconnectKind> joiningKinds();
/// The kinds of interconnects as people choose them; `withNone` for levels.
[[nodiscard]] QStringList kindNames(bool withNone);

}  // namespace p2::views
