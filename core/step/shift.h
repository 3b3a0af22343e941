// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/cost_model.h"
#include "synthesis/synthesis_hierarchy.h"

namespace p2 {

/// What it asks of a system that every member of every reduction group sends to the next in device order, the last to
/// the first if the ring is closed: a message from everybody, of as many bytes as a model is given. Flow by flow, where
/// the system is uniform in closed form; there an open chain over a forwarding ring counts as closed where
/// it has more than 4096 devices.
[[nodiscard]] Traffic shiftTraffic(const Topology& topology, const SynthesisHierarchy& hierarchy, bool closed,
                                   const CostModel& model);

}  // namespace p2
