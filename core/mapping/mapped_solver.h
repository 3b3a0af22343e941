// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/progress.h"
#include "mapping/mapped_problem.h"
#include "strategy/bounded_solver.h"

namespace p2::inline mapping {

/// The cheapest strategy whose operators share one mesh.
struct MappedSolution {
  MappedProblem mapped;     ///< on its mesh
  BoundedSolution bounded;  ///< several strategies are the cheapest on that mesh; bound and proof are of all meshes
  std::size_t meshes = 0;   ///< that were looked at
  std::size_t solved = 0;   ///< among these; a bound excluded the others
};

/// Options of solveMapped().
struct MappedRequest {
  MappedLimits limits = {};
  SolveOptions solving = {};      ///< `pinned` stays empty: see MappedLimits::pins
  std::optional<Mesh> mesh = {};  ///< empty: all of meshesOf()
  bool copies = true;             ///< then also meshesWithCopies()
};

/// Minimises costs over all meshes of a system, all assignments of every operator on them, and where a device's memory
/// is bounded, among those that fit it: per mesh by solveAnytime() or solveWithin(). A mesh is left out once a lower
/// bound of it is no better than the best found: every vertex by itself with half of each of its edges, and under a
/// bound on memory the relaxed cost at the price of a byte that the best mesh so far has. A dimension that several axes
/// cut is cut by the outer one first. So the strategy is optimal among all on one mesh of up to three axes and an axis
/// of copies, where each solution is. Errors: options out of range, no strategy at all or none that fits (names the
/// least memory), cancelled, errors of the solvers and the pricer.
[[nodiscard]] Result<MappedSolution> solveMapped(const ComputationGraph& graph, const GraphCostOptions& options,
                                                 const System& system, MeshPricer& pricer,
                                                 const MappedRequest& request = {}, std::stop_token stop = {},
                                                 const Progress& progress = {});

}  // namespace p2::inline mapping
