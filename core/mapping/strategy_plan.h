// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mapping/mapped_problem.h"

namespace p2::inline mapping {

/// A strategy as a file has it (p2-strategy): every operator's layout, and the mesh if given; for a pipeline
/// the mesh of every stage instead.
struct StrategyPlan {
  struct Stage {
    std::vector<std::size_t> operators;
    Mesh mesh;
  };
  std::optional<Mesh> mesh;
  std::vector<std::optional<MappedPin>> pins;  ///< by operator; operators of kind Share may be missing
  std::vector<Stage> stages;                   ///< stages of a pipeline, every operator once; empty for none
  std::vector<std::int64_t> factors;           ///< then by level of the system into how many parts stages deal it
};

/// Reads a strategy of a graph. Vertices are found by name and their dimensions likewise; dimensions that are left out
/// are whole. Other keys, as costs, are of no account. Errors name the JSON pointer: a vertex of the graph that is
/// missing or there twice, among the vertices or in stages, dimensions that it does not have, axes that do not make its
/// parts, a matrix of more than three rows.
[[nodiscard]] Result<StrategyPlan> strategyPlanFromJson(std::string_view text, const ComputationGraph& graph);

}  // namespace p2::inline mapping
