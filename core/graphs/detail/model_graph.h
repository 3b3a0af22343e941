// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy/computation_graph.h"
#include "workload/generate/model_shape.h"

namespace p2::inline graphs {

/// Input sizes of one training step of a model, over all devices.
struct StepShape {
  std::int64_t sequences = 1;  ///< in the global batch
  std::int64_t tokens = 1;     ///< in a sequence
  /// Rows that experts have for every one they would have under equal routing: room that is computed
  /// and sent, filled or not (GShard, arXiv 2006.16668).
  double capacityFactor = 1;
};

/// Limits of a StepShape.
inline constexpr std::int64_t kMostSequences = std::int64_t{1} << 24;
inline constexpr std::int64_t kMostTokens = std::int64_t{1} << 24;
inline constexpr double kLeastCapacity = 1;
inline constexpr double kMostCapacity = 64;

/// The computation graph of a transformer: embedding, layers of attention and MLP, head and loss. Queries, keys
/// and values are one product, and so are the two halves of a gated MLP, as training frameworks fuse them: each reads
/// its input once and sums up that gradient once, which leaves four all-reduces a layer to tensor parallelism
/// (Megatron-LM, arXiv 1909.08053). Heads are split among the groups that share keys and values. Layers with experts
/// have a router, a dispatch, the experts' MLPs and a combine, and shared experts as one more MLP. Errors: a shape
/// that cannot be, sizes of 0, a capacity factor out of range.
[[nodiscard]] Result<ComputationGraph> graphOf(const ModelShape& model, const StepShape& step);

}  // namespace p2::inline graphs
