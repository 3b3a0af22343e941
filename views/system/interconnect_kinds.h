// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "system/system.h"

namespace p2::views {

/// The kinds of interconnects that join anything.
[[nodiscard]] std::vector<InterconnectKind> joiningKinds();
/// The names of the kinds of interconnects; `withNone` for levels.
[[nodiscard]] QStringList kindNames(bool withNone);

}  // namespace p2::views
