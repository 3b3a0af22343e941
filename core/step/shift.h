// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/cost_model.h"
#include "cost/flows/flows.h"
#include "synthesis/synthesis_hierarchy.h"

namespace p2::inline step {

/// Traffic on a system when every member of every reduction group sends to the next in device order, the last to the
/// first if the ring is closed: one message per member, with the number of bytes given to the model. Flow by flow; in
/// closed form if the system is uniform, where an open chain over a forwarding ring of more than 4096 devices counts as
/// closed.
[[nodiscard]] Traffic shiftTraffic(const Topology& topology, const SynthesisHierarchy& hierarchy, bool closed,
                                   const CostModel& model);
/// The messages of one group, of weight 1. O(links of the routes).
[[nodiscard]] RoutedFlows shiftFlows(const Topology& topology, const DeviceGroup& group, bool closed);

}  // namespace p2::inline step
