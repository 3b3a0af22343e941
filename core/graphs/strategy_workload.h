// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy/graph_costs.h"
#include "workload/sources.h"

namespace p2::inline graphs {

/// The communication of a training step under a strategy: the all-reduces of every operator (demandsOf()), and along
/// every edge an AllGather of the parts that the next operator lacks and a ReduceScatter of its gradients, which
/// together are the all-reduce that reshardingAlong() prices. Bytes are rounded up, equal entries are merged.
///
/// Operators may split differently, so their axes are brought to one mesh: each takes, among the orders of its own
/// axes, the first that has a common refinement with the axes of earlier operators, which communicate more. Operators
/// without one, and sizes that do not divide the devices, are left out with a note. Errors: nothing is communicated.
[[nodiscard]] Result<WorkloadSource> workloadOf(const ComputationGraph& graph, const GraphCostOptions& options,
                                                const StrategyProblem& problem, const Strategy& strategy);

}  // namespace p2::inline graphs
