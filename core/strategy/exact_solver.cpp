// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/exact_solver.h"

#include <array>
#include <cmath>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "strategy/detail/solver_stages.h"

namespace p2::inline strategy {
namespace {

constexpr std::array<std::string_view, 3> kMethodNames{"elimination", "bounds", "branch-and-bound"};

std::string bytesText(double bytes) {
  return std::isinf(bytes) ? "more than " + formatBytes(Bytes(kMostCells * sizeof(double))) : formatBytes(Bytes(bytes));
}

Error memoryError(const EliminationPlan& plan, std::uint64_t limit) {
  const std::string needed = bytesText(plan.complete ? plan.bytes : INFINITY);
  return {"the tables of the cheapest elimination order need " + needed + ", the limit is " +
              formatBytes(Bytes(static_cast<double>(limit))) + "; allow more memory or fewer configurations",
          {},
          ErrorKind::TooLarge};
}

}  // namespace

std::string_view nameOf(SolveMethod method) { return kMethodNames[static_cast<std::size_t>(method)]; }

std::string planText(const SolveStatistics& statistics) {
  const std::string elimination =
      "elimination in the order " + statistics.order + ", " + countedText(statistics.cells, "sum") + " compared";
  const std::string alone = statistics.widthBytes > 0
                                ? "; elimination alone would need " + bytesText(statistics.widthBytes) + " of tables"
                                : "";
  const std::string excluded = countedText(statistics.excluded, "configuration") + " excluded by bounds";
  switch (statistics.method) {
    case SolveMethod::Elimination:
      return elimination + (statistics.dominated > 0 ? alone : "");
    case SolveMethod::Bounds:
      return excluded + ", the rest by " + elimination + alone;
    case SolveMethod::BranchAndBound:
      return "branch and bound, " + countedText(statistics.nodes, "part") + ", " + excluded + " beforehand" + alone;
  }
  return {};
}

Result<Solution> solveExactly(const StrategyProblem& problem, const SolveOptions& options, std::stop_token stop,
                              const Progress& progress) {
  SearchEffort effort(options.searchCells, options.searchUntil);
  const bool bounds = options.best == 1;
  P2_TRY_ASSIGN(auto stage, stageOf(problem, options, {true, bounds}, effort, stop));
  if (stage.statistics.widthBytes == 0) {
    auto solution = eliminated(problem, std::move(stage), options, stop, progress);
    if (solution.ok() || solution.error().kind != ErrorKind::TooLarge) return solution;
    P2_TRY_ASSIGN(stage, stageOf(problem, options, {false, bounds}, effort, stop));
  }
  const bool fits = stage.plan.complete && stage.plan.bytes <= static_cast<double>(options.memoryLimit);
  if (!fits) return memoryError(stage.plan, options.memoryLimit);
  return eliminated(problem, std::move(stage), options, stop, progress);
}

}  // namespace p2::inline strategy
