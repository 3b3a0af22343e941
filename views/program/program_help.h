// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace p2::views {

/// What F1 says of the programs.
[[nodiscard]] QString programHelp();

}  // namespace p2::views
