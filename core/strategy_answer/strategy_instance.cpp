// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy_answer/detail/strategy_instance.h"

#include <algorithm>
#include <bit>

#include "base/counted.h"
#include "base/near.h"
#include "base/units.h"
#include "explore/other_nodes.h"

namespace p2::inline strategy_answer {
namespace {

std::vector<std::optional<MappedPin>> mappedPins(const std::vector<StrategyPin>& pins, const ComputationGraph& graph) {
  std::vector<std::optional<MappedPin>> mapped(graph.operators.size());
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    const Operator& op = graph.operators[v];
    for (const StrategyPin& pin : pins) {
      if (pin.vertex == op.name && pin.parts.size() == op.dimensions.size()) mapped[v] = MappedPin{pin.parts, {}};
    }
  }
  return mapped;
}

constexpr std::int64_t kFewNodes = 8;

/// Smaller numbers of nodes worth a search. Of at most 8 nodes all above half; every other one divides one of these. Of
/// more, the largest power of two and one and a half times it, where they are fewer and do not divide the nodes.
std::vector<std::int64_t> fewerNodes(std::int64_t nodes) {
  std::vector<std::int64_t> all;
  if (nodes <= kFewNodes) {
    for (std::int64_t each = nodes - 1; each > nodes / 2; --each) all.push_back(each);
    return all;
  }
  const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(nodes)));
  for (const std::int64_t each : {power / 2 * 3, power}) {
    if (each < nodes && nodes % each != 0) all.push_back(each);
  }
  return all;
}

/// A cheaper strategy on that many nodes alone; nothing without one. Errors: cancelled.
Result<std::optional<double>> costOnFewer(const StrategyInstance& instance, std::int64_t nodes, double below,
                                          const SolveOptions& solving, const std::stop_token& stop) {
  const auto smaller = withNodes(*instance.system, nodes);
  const auto checked = smaller.ok() ? validated(*smaller) : Result<ValidSystem>(smaller.error());
  if (!checked.ok()) return std::optional<double>();
  GraphCostOptions options = instance.options;
  options.devices = smaller->deviceCount();
  HierarchicalPrices prices(*checked, instance.pricing, stop);
  SimulatedMeshPricer pricer(prices);
  MappedRequest request;
  request.solving = solving;
  request.solving.pinned.clear();
  request.solving.best = 1;
  request.solving.wantedBelow = below * (1 - 1e-6);
  const auto found = solveMapped(*instance.graph, options, *smaller, pricer, request, stop);
  if (stop.stop_requested()) return cancelledError();
  return found.ok() ? std::optional(found->bounded.solution.strategies.front().cost) : std::nullopt;
}

/// No mesh of all devices holds a strategy of a number of nodes that does not divide theirs: says where one of fewer
/// nodes is cheaper. Errors: cancelled.
Result<std::optional<std::string>> fewerNodesNote(const StrategyInstance& instance, const SolveOptions& solving,
                                                  const std::stop_token& stop) {
  const Level& outermost = instance.system->levels.front();
  double best = instance.onMesh->solution.bounded.solution.strategies.front().cost;
  std::optional<std::string> note;
  for (const std::int64_t nodes : fewerNodes(outermost.count)) {
    P2_TRY_ASSIGN(const auto cost, costOnFewer(instance, nodes, best, solving, stop));
    if (!cost) continue;
    best = *cost;
    note = std::to_string(nodes) + " of the " + countedText(outermost.count, outermost.name) + " alone would take " +
           formatSeconds(best) + ", since a mesh of all devices can only split work evenly over them or repeat it";
  }
  return note;
}

Result<void> solveOnMesh(StrategyInstance& instance, const StrategySearch& search, StrategyPrices& prices,
                         const std::stop_token& stop, const Progress& progress) {
  MappedRequest request;
  request.solving = search.solving;
  request.solving.pinned.clear();
  GraphCostOptions options = instance.options;
  if (search.plan) {
    options.deviceMemory = Bytes(0);
    if (const auto& mesh = search.plan->mesh) P2_TRY(checkMatrix(*instance.system, mesh->axes(), mesh->matrix));
    request.limits.pins = search.plan->pins;
    request.mesh = search.plan->mesh;
  } else {
    request.limits.pins = mappedPins(search.pins, *instance.graph);
  }
  P2_TRY_ASSIGN(auto solution,
                solveMapped(*instance.graph, options, *instance.system, prices.onMesh(), request, stop, progress));
  instance.onMesh = MeshAnswer{std::move(solution), {}};
  const MappedGraph graph(*instance.graph, instance.options);
  for (const Strategy& strategy : instance.onMesh->solution.bounded.solution.strategies) {
    if (instance.onMesh->mappings.size() == kMostMappings) break;
    P2_TRY_ASSIGN(auto mapping, mappingOf(graph, instance.mapped(), strategy, prices.onMesh()));
    instance.onMesh->mappings.push_back(std::move(mapping));
  }
  instance.problem = instance.mapped().problem;
  if (search.plan || !search.pins.empty()) return {};
  P2_TRY_ASSIGN(auto note, fewerNodesNote(instance, search.solving, stop));
  if (note) instance.notes.push_back(std::move(*note));
  return {};
}

void addEdge(CostSplit& split, const std::vector<Transfer>& transfers) {
  for (const Transfer& transfer : transfers) (isSum(transfer) ? split.reduce : split.resharding) += transfer.seconds;
}

}  // namespace

const Mapping* StrategyInstance::mappingOf(const std::vector<std::size_t>& choice) const {
  if (!onMesh) return nullptr;
  const auto& strategies = onMesh->solution.bounded.solution.strategies;
  for (std::size_t i = 0; i < onMesh->mappings.size(); ++i) {
    if (strategies[i].choice == choice) return &onMesh->mappings[i];
  }
  return nullptr;
}

Result<StrategyInstance> strategyInstance(StrategyInput input, const StrategySearch& search, StrategyPrices& prices,
                                          const std::stop_token& stop, const Progress& progress) {
  StrategyInstance instance{std::move(input)};
  if (instance.isOnMesh()) {
    P2_TRY(solveOnMesh(instance, search, prices, stop, progress));
  } else if (instance.graph) {
    P2_TRY_ASSIGN(instance.problem,
                  strategyProblemFrom(*instance.graph, instance.options, prices.flat(), stop, progress));
  }
  instance.repeats = repeatsOf(instance.problem, instance.graph.get());
  return instance;
}

std::vector<CostSplit> costsOf(const StrategyInstance& instance, const std::vector<std::size_t>& choice) {
  const StrategyProblem& problem = instance.problem;
  const Mapping* const mapping = instance.mappingOf(choice);
  std::vector<CostSplit> costs(problem.vertices.size());
  for (std::size_t v = 0; v < costs.size(); ++v) {
    const ConfigurationDomain& domain = problem.domainOf(v);
    const double own = domain.costs[choice[v]];
    costs[v].compute = own;
    if (!instance.graph) continue;
    const double once =
        computeSeconds(instance.graph->operators[v], domain.configurations[choice[v]], instance.options);
    costs[v].compute = std::min(own, static_cast<double>(instance.options.microbatches) * once);
    costs[v].reduce = own - costs[v].compute;
    // What remains of a cost minus its computation is rounding then, not a collective.
    if (nearlyEqual(own, costs[v].compute)) costs[v].reduce = 0;
  }
  for (std::size_t e = 0; e < problem.edges.size(); ++e) {
    const StrategyProblem::Edge& edge = problem.edges[e];
    if (mapping != nullptr) {
      addEdge(costs[edge.to], mapping->edges[e]);
    } else {
      costs[edge.to].resharding += problem.tables[edge.table].at(choice[edge.from], choice[edge.to]);
    }
  }
  return costs;
}

CostSplit splitOf(const StrategyInstance& instance, const std::vector<std::size_t>& choice) {
  CostSplit split;
  for (const CostSplit& cost : costsOf(instance, choice)) split += cost;
  return split;
}

StepMemory stepMemoryOf(const StrategyInstance& instance, const Strategy& strategy) {
  return memoryOf(*instance.graph, instance.problem, strategy, instance.options.bytesPerElement,
                  instance.options.memory);
}

std::int64_t devicesUsed(const StrategyProblem& problem, const std::vector<std::size_t>& choice) {
  std::int64_t most = 1;
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    std::int64_t parts = 1;
    for (const std::int64_t part : problem.domainOf(v).configurations[choice[v]]) parts *= part;
    most = std::max(most, parts);
  }
  return most;
}

}  // namespace p2::inline strategy_answer
