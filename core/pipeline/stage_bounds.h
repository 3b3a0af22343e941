// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/pipeline.
#pragma once

#include "mapping/mapped_problem.h"
#include "pipeline/pipeline_chain.h"

namespace p2 {

/// What stages of a chain take at least, mesh by mesh: Σ over their pieces of the cheapest strategy of each by itself,
/// where nothing passes its ends, and Σ over the operators of the least memory of each.
class StageBounds {
 public:
  /// `options` are those of a stage: its devices, and its slots as passes. Errors: those of mappedProblem() and of
  /// solveAnytime().
  [[nodiscard]] static Result<StageBounds> of(const PipelineChain& chain, const GraphCostOptions& options,
                                              const std::vector<Mesh>& meshes, MeshPricer& pricer,
                                              const std::stop_token& stop);

  /// Seconds of the pieces [first, end) on one mesh; infinite where they are impossible, or do not fit the memory with
  /// so many passes in flight.
  [[nodiscard]] double seconds(std::size_t mesh, std::size_t first, std::size_t end, std::int64_t inFlight) const;
  /// On the best of all meshes.
  [[nodiscard]] double seconds(std::size_t first, std::size_t end, std::int64_t inFlight) const;
  /// Bytes, of the mesh that needs least.
  [[nodiscard]] double memory(std::size_t first, std::size_t end, std::int64_t inFlight) const;

 private:
  /// Of one piece, or of all up to one.
  struct Least {
    double seconds = 0;
    double kept = 0;         ///< bytes
    double activations = 0;  ///< bytes of one pass
    double impossible = 0;   ///< pieces without any strategy
  };

  [[nodiscard]] double memory(std::size_t mesh, std::size_t first, std::size_t end, std::int64_t inFlight) const;
  [[nodiscard]] static Result<Least> ofPiece(const StageGraph& piece, const GraphCostOptions& options, const Mesh& mesh,
                                             MeshPricer& pricer, const std::stop_token& stop);

  double m_limit = 0;                    // bytes of a device; 0 for any number
  std::vector<std::vector<Least>> m_up;  // by mesh and piece: Σ of those before it
};

}  // namespace p2
