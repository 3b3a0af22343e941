// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/solver_stages.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/counted.h"
#include "strategy/detail/best_strategies.h"
#include "strategy/detail/dominance.h"
#include "strategy/detail/elimination_tables.h"

namespace p2::inline strategy {
namespace {

/// Memory for ordering equal costs: enough unless very many are equal, and allowed in addition to the tables.
constexpr std::uint64_t kFewTieBytes = std::uint64_t{64} << 20;

Result<CostNetwork> pinnedNetwork(const StrategyProblem& problem, const SolveOptions& options,
                                  const std::stop_token& stop) {
  CostNetwork network = costNetwork(problem, stop);
  if (stop.stop_requested()) return cancelledError();
  if (options.pinned.empty()) return network;
  if (options.pinned.size() != problem.vertices.size()) {
    return Error{countedText(options.pinned.size(), "pin") + " for " +
                 countedText(problem.vertices.size(), "vertex", "vertices") + "; give one each, or none"};
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

std::size_t valueCount(const CostNetwork& network) {
  return std::accumulate(network.values.begin(), network.values.end(), std::size_t{0},
                         [](std::size_t sum, const std::vector<std::size_t>& values) { return sum + values.size(); });
}

bool isNarrow(const EliminationPlan& plan, const SolveOptions& options) {
  return plan.complete && plan.cells <= kFewCells && plan.bytes <= static_cast<double>(options.memoryLimit);
}

void removeDominated(SolverStage& stage, std::size_t best, const std::stop_token& stop) {
  const std::size_t before = valueCount(stage.network);
  stage.network = withoutDominated(std::move(stage.network), best, stop);
  stage.statistics.dominated += before - valueCount(stage.network);
}

/// Leaves only what strategies that cost no more than the cheapest that is met have.
void removeExcluded(SolverStage& stage, const StrategyProblem& problem, SearchEffort& effort,
                    const std::stop_token& stop) {
  const Tightened tight = tightened(stage.network, effort, stop);
  if (stop.stop_requested()) return;
  Strategy strategy;
  for (std::size_t v = 0; v < stage.network.values.size(); ++v) {
    strategy.choice.push_back(stage.network.values[v][tight.bracket.choice[v]]);
  }
  strategy.cost = costOf(problem, strategy.choice);
  if (!stage.met || strategy.cost < stage.met->cost) stage.met = std::move(strategy);
  stage.bound = std::max(stage.bound, tight.bracket.bound);
  const std::size_t before = valueCount(stage.network);
  stage.network = restricted(stage.network, tight.kept);
  stage.statistics.excluded += before - valueCount(stage.network);
}

}  // namespace

Result<SolverStage> stageOf(const StrategyProblem& problem, const SolveOptions& options, StageWish wish,
                            SearchEffort& effort, const std::stop_token& stop) {
  constexpr int kMostRounds = 4;
  constexpr double kWorthwhile = 0.95;  // share of the values that are left
  P2_TRY_ASSIGN(auto network, pinnedNetwork(problem, options, stop));
  SolverStage stage{std::move(network), {}, {}, {}, 0};
  stage.plan = cheapestPlan(stage.network, stop);
  if (stop.stop_requested()) return cancelledError();
  if (wish.direct && isNarrow(stage.plan, options)) return stage;
  stage.statistics.widthBytes = stage.plan.complete ? stage.plan.bytes : std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostRounds; ++round) {
    const auto before = static_cast<double>(valueCount(stage.network));
    if (wish.bounds) removeExcluded(stage, problem, effort, stop);
    if (stop.stop_requested()) return cancelledError();
    removeDominated(stage, options.best, stop);
    if (stop.stop_requested()) return cancelledError();
    stage.plan = cheapestPlan(stage.network, stop);
    const auto after = static_cast<double>(valueCount(stage.network));
    if (stop.stop_requested()) return cancelledError();
    if (!wish.bounds || isNarrow(stage.plan, options) || after > kWorthwhile * before) break;
  }
  if (stage.statistics.excluded > 0) stage.statistics.method = SolveMethod::Bounds;
  return stage;
}

Result<Solution> eliminated(const StrategyProblem& problem, SolverStage stage, const SolveOptions& options,
                            const std::stop_token& stop, const Progress& progress) {
  const CostNetwork& network = stage.network;
  const EliminationPlan& plan = stage.plan;
  const std::uint64_t bytes = whole(plan.bytes);
  const std::uint64_t spare = options.memoryLimit > bytes ? options.memoryLimit - bytes : 0;
  const bool direct = stage.statistics.widthBytes == 0;
  Solution solution{{}, stage.statistics};
  solution.statistics.cells = whole(plan.cells);
  solution.statistics.largestTable = whole(plan.largest);
  solution.statistics.bytes = bytes;
  solution.statistics.order = plan.order;
  P2_TRY_ASSIGN(const auto tables, eliminationTables(std::move(stage.network.tables), plan, stop, progress));
  BestStrategies strategies(network, plan, tables, direct ? kFewTieBytes : std::max(kFewTieBytes, spare));
  while (solution.strategies.size() < options.best) {
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

}  // namespace p2::inline strategy
