// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system: what validated() looks at, part by part.
#pragma once

#include <string>
#include <string_view>

#include "system/system.h"

namespace p2 {

/// Whether it can name a level: 1 to 64 letters, digits, '-', '_' or '.'.
[[nodiscard]] bool isWord(std::string_view name);

/// Figures that can be worked with; `subject` begins the sentence, as in "the interconnect of level gpu".
[[nodiscard]] Result<void> checkInterconnect(const Interconnect& link, const std::string& subject,
                                             const std::string& where);

/// Names, places, members and shares of the networks. The levels have been checked.
[[nodiscard]] Result<void> checkNetworks(const System& system);

}  // namespace p2
