// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "system/system.h"

namespace p2::inline system {

/// True for levels on which permuting instances changes costs, because each has some of the others as neighbours: on a
/// ring of three or more, or where an instance of a network joins only some of them. If false, the instances of the
/// level within one instance of the level above can change places, the same way in all of these, and every link still
/// joins the same instances. Where members of a network are picked (Member::first and count) or links are disabled,
/// levels count as having neighbours although some instances might be swapped. The system must be valid (checkParts()).
/// O(networks² · levels).
[[nodiscard]] bool hasNeighbours(const System& system, std::size_t level);

}  // namespace p2::inline system
