// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy/graph_costs.h"

namespace p2::inline mapping {

// Frameworks copy gradients that the same devices sum up into buckets and sum up one bucket after the other, so that a
// collective's latency does not count once per parameter. A strategy hides no communication; its bucket is then the
// whole buffer of gradients, as in Megatron-LM without --overlap-grad-reduce (distributed_data_parallel.py), and under
// stage 3 of ZeRO a layer, the unit that FSDP gathers and scatters. A gradient is its share of a bucket and costs that
// share of the bucket's collective. Costs of operators so stay independent of each other, and a model costs the same
// whether its projections are one parameter or several. Where only some parameters are summed over a group of devices,
// its bucket counts by the share that is filled: a strategy's cost is at most one latency per group too low.

/// Elements of a bucket: all parameters of the graph, or under stage 3 of ZeRO an even part of them for each layer.
[[nodiscard]] double bucketElements(const ComputationGraph& graph, const MemoryOptions& memory);

/// The options for a part of a graph, such as a stage of a pipeline: it shares the buckets of the whole.
[[nodiscard]] GraphCostOptions withBucketsOf(const ComputationGraph& whole, GraphCostOptions options);

}  // namespace p2::inline mapping
