// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/graph_layout.h"

namespace p2::views {

/// The layers in which graphviz's dot, a program of its own, puts the shape's boxes, one above the other, without
/// bounds. Errors: dot is not installed, gave up, needs over a minute or 2 GiB; cancelled.
[[nodiscard]] Result<GraphLayout> layersByDot(const GraphShape& shape, const std::stop_token& stop);

}  // namespace p2::views
