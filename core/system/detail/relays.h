// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/system.
#pragma once

#include <map>

#include "system/link_graph.h"

namespace p2::inline system {

/// Devices whose node is connected and they are not, because the parts between them and the network are out of order,
/// and the device of their node that carries their traffic (NCCL: PXN over the NIC of another GPU).
struct Relays {
  std::map<Device, Device> out;
  std::map<Device, Device> in;
};

/// The relays of a graph with parts out of order: the working device of the node that relays for the fewest so far, of
/// these the next one. Empty where a hub joins all devices, or none joins most. O(vertices + links).
[[nodiscard]] Relays relaysOf(const LinkGraph& graph);

}  // namespace p2::inline system
