// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system.
#pragma once

#include <optional>
#include <utility>

#include "system/link_graph.h"

namespace p2::inline system {

/// Two devices of which the first cannot reach the second, if any. O(vertices + links) if one vertex is reached from
/// all devices and reaches all; otherwise that per device.
[[nodiscard]] std::optional<std::pair<Device, Device>> unconnectedPair(const LinkGraph& graph);

}  // namespace p2::inline system
