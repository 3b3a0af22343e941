// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

#include "cost/cost_model.h"
#include "cost/overlap.h"
#include "synthesis/lowering.h"
#include "system/topology.h"

namespace p2::inline cost {

/// Traffic of a lowered step on a system under one algorithm, all its groups at once, for a vector of one byte: every
/// flow on its route. O(flows · route length + links).
[[nodiscard]] Traffic trafficOf(const Topology& topology, const LoweredStep& step, const CostModel& model,
                                Algorithm algorithm);

/// The traffic of an AllToAll of one group that is no step of a program: FlowShape::RailExchange, for
/// NcclModel::priceDirect().
[[nodiscard]] Traffic allToAllTraffic(const Topology& topology, const DeviceGroup& group);

/// Prices a lowered step. As trafficOf(), once for each algorithm to choose from. After a stop request it returns soon,
/// and its result is meaningless.
[[nodiscard]] StepCost simulateStep(const Topology& topology, const LoweredStep& step, const CostOptions& options,
                                    const std::stop_token& stop = {});

/// A step for overlapped(); its traffic is found once for all sizes. The topology must outlive it.
[[nodiscard]] BusyStepOf busyStepOf(const Topology& topology, const LoweredStep& step, const CostOptions& options);

}  // namespace p2::inline cost
