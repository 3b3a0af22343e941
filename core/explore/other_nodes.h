// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "system/system.h"

namespace p2::inline explore {

/// The system with another number of instances of its outermost level: its preset's, or the same with more or fewer
/// instances, where networks above them keep their oversubscription. Errors: a part is named that is gone then.
[[nodiscard]] Result<System> withNodes(const System& system, std::int64_t nodes);

}  // namespace p2::inline explore
