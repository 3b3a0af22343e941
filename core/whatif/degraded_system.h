// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "system/system.h"

namespace p2::inline whatif {

/// The machine as it is, after states of text (withStates()). A node or another instance of the outermost level that is
/// down, as in "node 5: down", is taken away; the numbers of those behind it, in states and failed parts too, go down
/// by one. Racks are equal: a node of one takes the node of that number from each. Errors: as withStates(); instances
/// of other levels that are down; nothing is left.
[[nodiscard]] Result<System> withDegraded(const System& system, const std::vector<std::string>& states);

}  // namespace p2::inline whatif
