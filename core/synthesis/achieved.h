// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "collective/goal.h"
#include "synthesis/synthesis_hierarchy.h"

namespace p2::inline synthesis {

/// The final state of a goal on a hierarchy: "every device holds the whole sum of its group" where there are several
/// reduction groups, Goal::achieved where there is one.
[[nodiscard]] std::string achievedOn(const SynthesisHierarchy& hierarchy, const Goal& goal);

}  // namespace p2::inline synthesis
