// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/exact_solver.h"

#include <algorithm>
#include <numeric>

#include "base/units.h"
#include "strategy/best_strategies.h"
#include "strategy/dominance.h"
#include "strategy/elimination_tables.h"

namespace p2 {
namespace {

/// So many cells take less time than a search for dominated configurations would.
constexpr double kFewCells = 1e9;
/// For telling equals apart: enough unless very many are equal, and allowed beside the tables however large they are.
constexpr std::uint64_t kFewTieBytes = std::uint64_t{64} << 20;

Result<CostNetwork> pinnedNetwork(const StrategyProblem& problem, const SolveOptions& options) {
  CostNetwork network = costNetwork(problem);
  if (options.pinned.empty()) return network;
  if (options.pinned.size() != problem.vertices.size()) {
    return Error{std::to_string(options.pinned.size()) + " pins for " + std::to_string(problem.vertices.size()) +
                 " vertices; give one each, or none"};
  }
  std::vector<std::vector<std::size_t>> kept;
  for (std::size_t v = 0; v < network.values.size(); ++v) {
    const std::optional<std::size_t>& pin = options.pinned[v];
    if (pin && *pin >= network.sizeOf(v)) {
      return Error{"vertex \"" + problem.vertices[v].name + "\" has no configuration " + std::to_string(*pin) +
                   "; they count from 0 to " + std::to_string(network.sizeOf(v) - 1)};
    }
    kept.push_back(pin ? std::vector{*pin} : network.values[v]);
  }
  return restricted(network, kept);
}

std::uint64_t whole(double count) {
  constexpr double kMost = 1.8e19;
  return static_cast<std::uint64_t>(std::min(count, kMost));
}

SolveStatistics statisticsOf(const EliminationPlan& plan) {
  return {whole(plan.cells), whole(plan.largest), whole(plan.bytes), plan.order, 0};
}

Error memoryError(const EliminationPlan& plan, std::uint64_t limit) {
  const std::string needed =
      plan.complete ? formatBytes(Bytes(plan.bytes)) : "more than " + formatBytes(Bytes(kMostCells * sizeof(double)));
  return {"the tables of the cheapest elimination order need " + needed + ", the limit is " +
              formatBytes(Bytes(static_cast<double>(limit))) + "; allow more memory or fewer configurations",
          {},
          ErrorKind::TooLarge};
}

std::size_t valueCount(const CostNetwork& network) {
  return std::accumulate(network.values.begin(), network.values.end(), std::size_t{0},
                         [](std::size_t sum, const std::vector<std::size_t>& values) { return sum + values.size(); });
}

/// The solution by elimination of one network of the problem; `tieBytes` bounds what telling equals apart may take.
Result<Solution> eliminated(const StrategyProblem& problem, CostNetwork network, const EliminationPlan& plan,
                            std::size_t best, std::uint64_t tieBytes, const std::stop_token& stop,
                            const Progress& progress) {
  P2_TRY_ASSIGN(const auto tables, eliminationTables(std::move(network.tables), plan, stop, progress));
  Solution solution{{}, statisticsOf(plan)};
  BestStrategies strategies(network, plan, tables, tieBytes);
  while (solution.strategies.size() < best) {
    P2_TRY_ASSIGN(const auto positions, strategies.next(stop));
    if (!positions) break;
    Strategy strategy;
    for (std::size_t v = 0; v < network.values.size(); ++v) {
      strategy.choice.push_back(network.values[v][(*positions)[v]]);
    }
    strategy.cost = costOf(problem, strategy.choice);
    solution.strategies.push_back(std::move(strategy));
  }
  return solution;
}

}  // namespace

Result<Solution> solveExactly(const StrategyProblem& problem, const SolveOptions& options, std::stop_token stop,
                              const Progress& progress) {
  auto network = pinnedNetwork(problem, options);
  P2_TRY(network);
  const auto limit = static_cast<double>(options.memoryLimit);
  const EliminationPlan direct = cheapestPlan(*network);
  if (direct.complete && direct.cells <= kFewCells && direct.bytes <= limit) {
    auto solution = eliminated(problem, std::move(network).value(), direct, options.best, kFewTieBytes, stop, progress);
    if (solution.ok() || solution.error().kind != ErrorKind::TooLarge) return solution;
    network = pinnedNetwork(problem, options);
  }
  // Worth its time only where the tables are large or where many strategies are equally good.
  CostNetwork reduced = withoutDominated(*network, options.best, stop);
  const std::size_t dominated = valueCount(*network) - valueCount(reduced);
  const EliminationPlan plan = cheapestPlan(reduced);
  if (!plan.complete || plan.bytes > limit) return memoryError(plan, options.memoryLimit);
  const std::uint64_t tieBytes = std::max(kFewTieBytes, options.memoryLimit - whole(plan.bytes));
  auto solution = eliminated(problem, std::move(reduced), plan, options.best, tieBytes, stop, progress);
  if (solution.ok()) solution.value().statistics.dominated = dominated;
  return solution;
}

}  // namespace p2
