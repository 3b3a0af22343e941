// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mapping/mapped_solver.h"

namespace p2::inline mapping {

/// Everything that a strategy on a mesh does in a step, as a list that adds up to its cost.
struct Mapping {
  std::vector<double> computeSeconds;           ///< by operator
  std::vector<double> forwardSeconds;           ///< by operator: the forward passes' part of it
  std::vector<std::vector<Transfer>> vertices;  ///< by operator
  std::vector<std::vector<Transfer>> edges;     ///< by edge
  std::vector<std::string> axisNames = {};      ///< for the mesh: axisNamesOf()
  MeshAxes sequenceAxes = 0;                    ///< sequenceAxesOf()

  /// Σ seconds of all parts.
  [[nodiscard]] double seconds() const;
};

/// `strategy` is one of the mapped problem's. Errors: of the pricer.
[[nodiscard]] Result<Mapping> mappingOf(const MappedGraph& graph, const MappedProblem& mapped, const Strategy& strategy,
                                        MeshPricer& pricer);

/// Parts of a cost.
struct CostSplit {
  double compute = 0;
  double reduce = 0;      ///< sums: of gradients, partial sums and statistics, and what ZeRO gathers
  double resharding = 0;  ///< between operators that are split otherwise
  [[nodiscard]] double total() const { return compute + reduce + resharding; }
  CostSplit& operator+=(const CostSplit& other) {
    compute += other.compute;
    reduce += other.reduce;
    resharding += other.resharding;
    return *this;
  }
};
[[nodiscard]] CostSplit splitOf(const Mapping& mapping);
/// Whether a transfer sums up: AllReduce and ReduceScatter count as reductions, even along an edge.
[[nodiscard]] bool isSum(const Transfer& transfer);

/// Effects that the cost of a strategy on a mesh ignores, as the end of "not modelled: …". The unmodelled effects of
/// its collectives' model come on top. `routed`: of a graph whose tokens go to experts.
[[nodiscard]] std::string meshUnmodelledEffects(bool routed = false);
/// Whether a graph's tokens go to experts.
[[nodiscard]] bool isRouted(const ComputationGraph& graph);

/// Per dimension of a tensor the indices that a device at these coordinates has of it. Parts with partial sums are
/// parts of the sum.
[[nodiscard]] std::vector<IndexRange> heldAt(const MappedGraph& graph, std::size_t op, std::size_t tensor,
                                             const AxisAssignment& assignment, const Mesh& mesh,
                                             const std::vector<std::int64_t>& coordinates);

/// Number of the part of a dimension, cut by some axes, on the device at these coordinates: they count in the mesh's
/// order.
[[nodiscard]] std::int64_t partAt(const Mesh& mesh, MeshAxes axes, const std::vector<std::int64_t>& coordinates);

}  // namespace p2::inline mapping
