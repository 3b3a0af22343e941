// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "strategy/computation_graph.h"
#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

// One training step of one operator, forward and backward, derived for every kind as PaSE (Elango, IPDPS 2021) does for
// GEMM. An m × n × k product split (p_m, p_n, p_k) takes 3·mnk / (p_m p_n p_k) multiply-adds, once forward and twice
// backward, and leaves partial sums: of the output (m × n) over p_k, of the input's gradient (m × k) over p_n and of
// the weights' gradient (n × k) over p_m. Written with tensors: each is cut by the splits of the dimensions it spans
// and all-reduced over the splits of those it does not span; a bias not over those the output does not span either.
// That holds for every operator:
//
// | kind          | multiply-adds                    | additional reductions                                      |
// |---------------|----------------------------------|--------------------------------------------------------------|
// | gemm          | 3 per point of the domain        |                                                              |
// | convolution   | 3 per point: m = batch × pixels, | the input counts as it is, not unrolled into windows         |
// |               | k = channels × window            |                                                              |
// | lstm          | 3 per point, the four gates a    | gate sums (a statistic); the state between steps is    |
// |               | dimension of their own           | part of the input                                            |
// | attention     | 6 per point: two products        | maximum and sum of the softmax over the keys (statistics)    |
// | embedding     | 2 per point of the output        | output over the vocabulary; indices have no gradient         |
// | normalisation | 8 per point of the output        | mean, variance and their gradients (statistics)              |
// | softmax       | 8 per point of the output        | maximum, sum and gradient (statistics)                       |
// | loss          | 4 per point of the first input   | maximum and sum (statistics)                                 |
// | pooling       | 1 per point of the domain        |                                                              |
// | elementwise   | 2 per point of the output        |                                                              |
// | concat, split, reshape | 0                       |                                                              |
// | experts       | 3 per point of the domain, which | weights over the tokens alone: all tensors span the experts  |
// |               | counts the rows of an expert     |                                                              |
// | dispatch      | 1 per point of the output        | the input's gradient over the experts; routes have none      |
// | combine       | 3 per point of the first input   | output over the experts, gradients of the weights over h     |
//
// Experts: a token of k of E experts has k copies, so that an expert has k·(capacity factor)/E rows for every token
// and the experts together compute k·(capacity factor) times the work of one MLP of an expert's size. Between dispatch
// and experts, and between experts and combine, the rows [E, tokens·k·c/E, h] pass along an edge. Where both ends cut
// tokens nothing moves. Where p devices cut the tokens of one end and the experts of the other, every device sends all
// of its W/p elements but the share that stays, (p − 1)/p · W/p: an all-to-all, forward and backward, four a layer.
// reshardingAlong() says the same: A_target − A_common = W/p − W/p², as elements of an all-reduce over p devices W/p,
// half of it for either pass. So `flat` prices two all-to-alls at one bandwidth, and on a mesh they are the goal
// AllToAll (redistribution.h). All experts get the same number of tokens.
//
// Windows that overlap across a split are not counted: convolutions and poolings keep their spatial dimensions whole.

/// Σ multiply-adds of one step on each device, under a configuration. Shares are real numbers: a split that leaves a
/// remainder counts as even.
[[nodiscard]] double multiplyAdds(const Operator& op, const Configuration& configuration);

/// Whether a tensor has a gradient. Indices have none: the input of an embedding, and all inputs of a dispatch but the
/// first.
[[nodiscard]] bool hasGradient(const Operator& op, std::size_t tensor);

/// Elements of one device's part of a tensor.
[[nodiscard]] double elementsOf(const Operator& op, const Tensor& tensor, const Configuration& configuration);

/// Σ elements that one step reads from and writes to each device's memory: every tensor once forward and twice
/// backward, of an embedding only the rows that are looked up, nothing for views (reshape, split). Savings by kernels
/// that fuse several operators are not known.
[[nodiscard]] double elementsMoved(const Operator& op, const Configuration& configuration);

/// A tensor with partial sums on every device.
struct Reduction {
  std::size_t tensor = 0;
  std::vector<std::size_t> dimensions;  ///< the split ones it does not span: those to reduce over
  double elements = 0;                  ///< of one device's part
  friend bool operator==(const Reduction&, const Reduction&) = default;
};

/// The all-reduces of a step under a configuration, in tensor order.
[[nodiscard]] std::vector<Reduction> reductionsOf(const Operator& op, const Configuration& configuration);

/// Data on devices that a configuration does not need.
enum class SpareDevices {
  Idle,    ///< nothing, as in PaSE
  Copies,  ///< repeat the work of the others
};

/// The resharding along an edge. Every device lacks some elements of the part that it needs. Fetching them costs as
/// much as an all-reduce of `elements` over `parts` devices: half of one for the gather in the forward pass, and the
/// other half for the gradients in the backward pass.
struct Resharding {
  std::int64_t parts = 1;  ///< devices in each resharding group; 1 when nothing moves
  double elements = 0;     ///< lacking · parts / (parts − 1)
  friend bool operator==(const Resharding&, const Resharding&) = default;
};

/// The resharding of the tensor an edge carries, between configurations of its ends. A device lacks A_target − A_common
/// elements, A_target = ∏ size / parts in the target, A_common = ∏ min(source part, target part). With idle spare
/// devices A_common = 0 where the source cuts the tensor into fewer parts than the target: some device then holds
/// nothing.
[[nodiscard]] Resharding reshardingAlong(const ComputationGraph& graph, const ComputationGraph::Edge& edge,
                                         const Configuration& from, const Configuration& to, SpareDevices spare);

}  // namespace p2::inline strategy
