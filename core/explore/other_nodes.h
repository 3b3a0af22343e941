// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "system/system.h"

namespace p2::inline explore {

/// The system with another number of instances of its outermost level: its preset's, or one of levels alone. Errors: a
/// drawn system with networks or with parts out of order, since their members would be unknown.
[[nodiscard]] Result<System> withNodes(const System& system, std::int64_t nodes);

}  // namespace p2::inline explore
