// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "strategy/computation_graph.h"
#include "workload/generate/model_shape.h"

namespace p2 {

/// What one training step of a model works on, over all devices.
struct StepShape {
  std::int64_t sequences = 1;  ///< of the global batch
  std::int64_t tokens = 1;     ///< of a sequence
};

inline constexpr std::int64_t kMostSequences = std::int64_t{1} << 24;
inline constexpr std::int64_t kMostTokens = std::int64_t{1} << 24;

/// The computation graph of a dense transformer: embedding, layers of attention and MLP, head and loss. Queries, keys
/// and values are one product, and so are the two halves of a gated MLP, as training frameworks fuse them: each reads
/// its input once and sums up that gradient once, which leaves four all-reduces a layer to tensor parallelism
/// (Megatron-LM, arXiv 1909.08053). Heads are split among the groups that share keys and values. Errors: a shape that
/// cannot be, routed experts or compressed attention, which have no operator yet, sizes of 0.
[[nodiscard]] Result<ComputationGraph> graphOf(const ModelShape& model, const StepShape& step);

}  // namespace p2
