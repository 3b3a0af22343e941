// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system: what checkParts() looks at, part by part.
#pragma once

#include <string>
#include <string_view>

#include "system/system.h"

namespace p2::inline system {

/// Whether it can name a level: 1 to 64 letters, digits, '-', '_' or '.'.
[[nodiscard]] bool isWord(std::string_view name);

/// Names, places, members and shares of the networks; interconnectProperties() has the checks of their figures. The
/// levels must have been checked. Errors have the part.
[[nodiscard]] Result<void> checkNetworks(const System& system);

}  // namespace p2::inline system
