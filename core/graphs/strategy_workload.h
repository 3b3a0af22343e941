// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy/graph_costs.h"
#include "workload/sources.h"

namespace p2::inline graphs {

/// What a training step communicates under a strategy: the all-reduces of every operator (demandsOf()), and along every
/// edge an AllGather of what the next operator lacks and a ReduceScatter of its gradients, which together are the
/// all-reduce that reshardingAlong() prices. Bytes are rounded up, entries alike are one.
///
/// Operators need not split alike, so their axes are brought to one mesh: each takes, among the orders of its own axes,
/// the first that has a common refinement with those of the operators before that communicate more. What finds none is
/// left out and said, and so is what does not divide the devices. Errors: nothing is communicated.
[[nodiscard]] Result<WorkloadSource> workloadOf(const ComputationGraph& graph, const GraphCostOptions& options,
                                                const StrategyProblem& problem, const Strategy& strategy);

}  // namespace p2::inline graphs
