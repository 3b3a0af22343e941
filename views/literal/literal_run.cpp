// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/literal/literal_run.h"

namespace p2::views {
namespace {

constexpr double kDrawingAspect = 0.6;  // width over height of the drawing, left of the tables

}  // namespace

Result<std::shared_ptr<const LiteralRun>> runLiterally(std::shared_ptr<const StrategyProblem> problem,
                                                       LiteralOptions options, std::stop_token stop,
                                                       const Progress& progress) {
  options.keepTrace = true;
  P2_TRY_ASSIGN(auto solution, solveLiterally(*problem, options, stop, progress));
  auto run = std::make_shared<LiteralRun>();
  run->problem = std::move(problem);
  run->options = options;
  run->solution = std::move(solution);
  for (const LiteralTable& table : run->trace().tables) {
    for (const std::size_t neighbour : table.scope) {
      if (neighbour > table.vertex) run->edges.push_back({table.vertex, neighbour});
    }
  }
  const GraphShape shape{std::vector<QSizeF>(run->problem->vertices.size(), LiteralRun::kVertexSize), run->edges};
  P2_TRY_ASSIGN(run->layout, layoutGraph(shape, kDrawingAspect, std::move(stop)));
  return std::shared_ptr<const LiteralRun>(run);
}

}  // namespace p2::views
