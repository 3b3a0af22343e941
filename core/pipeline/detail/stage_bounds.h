// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/pipeline.
#pragma once

#include "mapping/mapped_problem.h"
#include "pipeline/detail/pipeline_chain.h"

namespace p2::inline pipeline {

/// Lower bounds of stages of a chain, mesh by mesh: Σ over their pieces of the cheapest strategy of each by itself,
/// with free transfers at its ends, and Σ over the operators of the least memory of each.
class StageBounds {
 public:
  /// `options` describe a stage: its devices, and its slots as passes. Errors of mappedProblem() and solveAnytime().
  [[nodiscard]] static Result<StageBounds> of(const PipelineChain& chain, const GraphCostOptions& options,
                                              const std::vector<Mesh>& meshes, MeshPricer& pricer,
                                              const std::stop_token& stop);

  /// Seconds of the pieces [first, end) on one mesh; infinite where they are impossible, or do not fit the memory with
  /// that many microbatches in flight.
  [[nodiscard]] double seconds(std::size_t mesh, std::size_t first, std::size_t end, std::int64_t inFlight) const;
  /// The least over all meshes.
  [[nodiscard]] double seconds(std::size_t first, std::size_t end, std::int64_t inFlight) const;
  /// Seconds of one microbatch slot of the pieces [first, end), the least over all meshes on which their memory fits.
  [[nodiscard]] double slot(std::size_t first, std::size_t end, std::int64_t inFlight) const;
  /// Bytes on the mesh that needs least.
  [[nodiscard]] double memory(std::size_t first, std::size_t end, std::int64_t inFlight) const;

 private:
  /// A piece, or the sum of all pieces up to one.
  struct Least {
    double seconds = 0;      ///< in all slots
    double slot = 0;         ///< in one slot
    double kept = 0;         ///< bytes
    double activations = 0;  ///< bytes of one pass
    double impossible = 0;   ///< pieces without any strategy
  };

  [[nodiscard]] double memory(std::size_t mesh, std::size_t first, std::size_t end, std::int64_t inFlight) const;
  [[nodiscard]] bool fits(std::size_t mesh, std::size_t first, std::size_t end, std::int64_t inFlight) const;
  [[nodiscard]] static Result<Least> ofPiece(const StageGraph& piece, const GraphCostOptions& options, const Mesh& mesh,
                                             MeshPricer& pricer, const std::stop_token& stop);

  double m_limit = 0;                    // bytes of a device; 0 for any number
  std::vector<std::vector<Least>> m_up;  // by mesh and piece: the sum of those before it
};

}  // namespace p2::inline pipeline
