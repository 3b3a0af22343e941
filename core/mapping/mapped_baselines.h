// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "mapping/mapping.h"

namespace p2::inline mapping {

/// Common strategies that need no search, on the best mesh for each.
enum class MappedBaseline {
  Data,              ///< splits the batch, every operator's first dimension, and nothing else
  FullyShardedData,  ///< Data with parameters sharded: stage 3 of ZeRO, FSDP
  Tensor,            ///< Megatron's tensor parallelism over some axes, data parallelism over the others
  TensorSequence,    ///< Tensor, where norms and sums may split the sequence (Korthikanti et al., arXiv 2205.05198)
  /// Experts over some axes that split the batch of all else, which then exchange tokens (GShard, arXiv 2006.16668),
  /// and tensor parallelism over some of the others, or none
  Expert,
};

inline constexpr std::array kMappedBaselines{MappedBaseline::Data, MappedBaseline::FullyShardedData,
                                             MappedBaseline::Tensor, MappedBaseline::TensorSequence,
                                             MappedBaseline::Expert};
/// The baselines that apply to a graph: Expert only if it has experts.
[[nodiscard]] std::vector<MappedBaseline> mappedBaselinesOf(const ComputationGraph& graph);

/// "data parallelism", "FSDP", …
[[nodiscard]] std::string_view nameOf(MappedBaseline baseline);
/// Description of a baseline in one sentence.
[[nodiscard]] std::string_view meaningOf(MappedBaseline baseline);

/// The cheapest strategy that a baseline allows.
struct MappedBaselineAnswer {
  MappedSolution solution;
  CostSplit split;
  Bytes memory;                        ///< of each device
  std::vector<std::string> axisNames;  ///< for its mesh
  MeshAxes sequenceAxes = 0;           ///< sequenceAxesOf()
  bool fits = true;                    ///< false: none fits the memory, and this is the cheapest without a bound
};

/// A baseline on the system's meshes, priced and bounded like the strategy that it is compared with. Tensor parallelism
/// splits products and embeddings along a dimension of their weights, attention along its heads, and element-wise
/// operators of one input along what these leave; all others repeat their work, or with sequence parallelism split
/// their second dimension. All split the batch as far as it goes on the axes that are left. Experts are whole there.
/// Errors: the kind divides no operator, and errors of solveMapped().
[[nodiscard]] Result<MappedBaselineAnswer> mappedBaseline(const ComputationGraph& graph, GraphCostOptions options,
                                                          const System& system, MeshPricer& pricer,
                                                          MappedBaseline baseline, std::stop_token stop = {},
                                                          const Progress& progress = {});

/// Whether the axes of `tensor` split what tensor parallelism splits, and all others the batch or nothing.
[[nodiscard]] bool isTensorParallel(const Operator& op, const AxisAssignment& assignment, const Mesh& mesh,
                                    MeshAxes tensor, bool sequence);

}  // namespace p2::inline mapping
