// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/explore.h"

namespace p2::cli {

/// As explore(), for the synthesis hierarchies that P² compares itself with (paper §2.5): every program, by search
/// over bit matrices. `best` > 0 keeps the cheapest so many over all placements. Errors: too many devices.
[[nodiscard]] Result<std::shared_ptr<const Exploration>> exploreExplicitly(const Workspace& workspace,
                                                                           HierarchyKind kind, std::size_t best);

}  // namespace p2::cli
