// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/graph_layout.h"

namespace p2::views {

/// A layout of layers cut between them into columns side by side, where that comes nearer to `aspect` (width /
/// height). Arrows from column to column run between the columns. Sets the bounds. O(columns · (nodes + edges)).
[[nodiscard]] GraphLayout folded(GraphLayout layout, const GraphShape& shape, double aspect);

}  // namespace p2::views
