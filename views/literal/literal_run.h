// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "strategy/literal/literal_solver.h"
#include "views/common/graph_layout.h"

namespace p2::views {

/// A traced run of the literal algorithm with everything that is needed to show it.
struct LiteralRun {
  /// Size of a vertex in the drawing.
  static constexpr QSizeF kVertexSize{136, 48};

  std::shared_ptr<const StrategyProblem> problem;
  LiteralOptions options;
  LiteralSolution solution;             ///< has a trace
  std::vector<GraphShape::Edge> edges;  ///< neighbours, each pair once
  GraphLayout layout;

  [[nodiscard]] const LiteralTrace& trace() const { return *solution.trace; }
};

/// Errors: as solveLiterally(), a graph that is too large to draw.
[[nodiscard]] Result<std::shared_ptr<const LiteralRun>> runLiterally(std::shared_ptr<const StrategyProblem> problem,
                                                                     LiteralOptions options, std::stop_token stop = {},
                                                                     const Progress& progress = {});

}  // namespace p2::views
