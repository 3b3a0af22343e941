// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "system/place.h"

namespace p2::views {

/// The links of an interconnect that one line of the drawing stands for, as Topology names them: those between a member
/// and it, between a member and the `next` one of a ring, or between a member of a mesh and the other `members`.
[[nodiscard]] std::vector<std::string> linkNames(const System& system, const Place& owner, const Place& member,
                                                 const Place& next, const std::vector<Place>& members);

}  // namespace p2::views
