// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mapping/mapping.h"
#include "workload/sources.h"

namespace p2::inline mapping {

/// Transfers that the mesh's placement must carry, those with equal collective and axes as one, most expensive
/// first, with the best program at the bytes of the largest. "operators" are those that take part, of an edge its
/// target.
[[nodiscard]] Result<std::vector<StrategyNeed>> mappedNeeds(const MappedGraph& graph, const MappedProblem& mapped,
                                                            const Mapping& mapping, HierarchicalPrices& prices);

/// Communication of a training step under a strategy, over the axes of its mesh. Bytes are rounded up, equal entries
/// are merged. Errors: nothing is communicated.
[[nodiscard]] Result<WorkloadSource> workloadOf(const MappedGraph& graph, const MappedProblem& mapped,
                                                const Mapping& mapping);

}  // namespace p2::inline mapping
