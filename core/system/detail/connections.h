// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "system/link_graph.h"

namespace p2::inline system {

/// By vertex, whether a message comes there from a vertex, or goes from there to it. O(vertices + links).
[[nodiscard]] std::vector<bool> reachedFrom(const LinkGraph& graph, LinkGraph::Vertex start, bool forwards);

/// A pair of devices, if any, in which the first cannot reach the second, even over relays. O(vertices + links) if one
/// vertex is reached from all devices and reaches all; otherwise that per device.
[[nodiscard]] std::optional<std::pair<Device, Device>> unconnectedPair(const LinkGraph& graph);

}  // namespace p2::inline system
