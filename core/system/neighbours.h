// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "system/system.h"

namespace p2 {

/// Whether it matters which instance of a level is which, since each stands beside some of the others and not beside the
/// rest: on a ring of three or more, or where an instance of a network joins some of them alone. If not, the instances
/// of the level that lie in one instance of the level above can change places, in all of these alike, and every link
/// joins what it joined. Where members of a network are picked out (Member::first and count) or links are disabled,
/// levels count as having neighbours though some of their instances might be exchanged. The system must be valid
/// (checkParts()). O(networks² · levels).
[[nodiscard]] bool hasNeighbours(const System& system, std::size_t level);

}  // namespace p2
