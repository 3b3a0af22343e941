// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy_answer/detail/strategy_instance.h"

#include <algorithm>
#include <bit>

#include "base/counted.h"
#include "base/lists.h"
#include "base/near.h"
#include "base/units.h"
#include "explore/other_nodes.h"
#include "graphs/strategy_json.h"
#include "strategy/shared_tensors.h"
#include "text/text_file.h"

namespace p2::inline strategy_answer {

namespace {

Result<StrategyInput> costTables(const std::string& path, const std::stop_token& stop) {
  P2_TRY_ASSIGN(auto text, readTextFile(path));
  StrategyInput input;
  P2_TRY_ASSIGN(input.problem, strategyProblemFromJson(std::move(text), stop).within(path));
  return input;
}

/// The sizes of an ONNX model with suggestions for those that the question leaves open, which are listed.
Result<GraphSizes> withSuggestedSizes(const StrategyQuestion& question, std::vector<std::string>& suggested,
                                      const std::stop_token& stop) {
  GraphSizes given = question.sizes;
  if (!question.suggestsSizes || !question.graph.ends_with(".onnx")) return given;
  P2_TRY_ASSIGN(const auto open, openDimensions(question.graph, stop));
  const OnnxSizes sizes = withSuggestions({given.batch, given.dimensions}, open);
  for (const OpenDimension& each : open) {
    const bool isGiven = given.dimensions.contains(each.name) || (each.axis == 0 && given.batch);
    if (!isGiven) suggested.push_back(each.name + " = " + std::to_string(sizes.dimensions.at(each.name)));
  }
  given.dimensions = sizes.dimensions;
  given.batch.reset();
  return given;
}

/// Sequences of a step, and their tokens, where a transformer leaves them open and the question as well.
std::vector<AssumedDefault> sizesAssumed(const StrategyQuestion& question, const ComputationGraph& graph) {
  if (!hasOpenSequence(question.graph)) return {};
  const auto attention = std::find_if(graph.operators.begin(), graph.operators.end(),
                                      [](const Operator& op) { return op.kind == OperatorKind::Attention; });
  if (attention == graph.operators.end()) return {};
  std::vector<AssumedDefault> sizes;
  const auto sizeOf = [&](const char* name) {
    for (const Dimension& dimension : attention->dimensions) {
      if (dimension.name == name) return dimension.size;
    }
    return std::int64_t{1};
  };
  if (!question.sizes.batch) sizes.push_back({"--batch", countedText(sizeOf("b"), "sequence")});
  const bool routed =
      std::any_of(graph.operators.begin(), graph.operators.end(), [](const Operator& op) { return isRouted(op.kind); });
  if (routed && !question.sizes.capacityFactor) {
    sizes.push_back({"--capacity-factor", "each expert has capacity for an even share of the tokens"});
  }
  if (!question.sizes.sequence) sizes.push_back({"--sequence", countedText(sizeOf("q"), "token") + " a sequence"});
  return sizes;
}

/// One sequence for many devices is a default of the model's configuration, not a batch that anyone trains with.
std::optional<std::string> sequencesNote(const StrategyQuestion& question, const StrategyInput& input) {
  const std::vector<std::string>& models = bundledModelNames();
  if (question.sizes.batch || std::find(models.begin(), models.end(), question.graph) == models.end()) return {};
  const auto& operators = input.graph->operators;
  const auto attention = std::find_if(operators.begin(), operators.end(),
                                      [](const Operator& op) { return op.kind == OperatorKind::Attention; });
  if (attention == operators.end()) return {};
  const std::int64_t sequences = attention->dimensions.front().size;
  if (sequences >= input.options.devices) return {};
  return "a microbatch has " + countedText(sequences, "sequence") + " for " +
         countedText(input.options.devices, "device") + "; choose a larger batch";
}

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

std::vector<std::string> StrategyInput::assumed() const {
  std::vector<std::string> sentences;
  if (graph) sentences = graph->assumed;
  for (const AssumedDefault& each : defaults) sentences.push_back(each.text());
  return sentences;
}

std::string StrategyInput::note() const { return joined(notes, "; "); }

Result<StrategyInput> readStrategyInput(const StrategyQuestion& question, const std::stop_token& stop) {
  if (!namesGraph(question.graph)) return costTables(question.graph, stop);
  StrategyInput input;
  P2_TRY_ASSIGN(const auto sizes, withSuggestedSizes(question, input.suggested, stop));
  P2_TRY_ASSIGN(auto loaded, graphFromArgument(question.graph, sizes, stop));
  input.warnings = std::move(loaded.warnings);
  input.options = withTrainingFigures(filledIn(question.options, question.system, loaded.graph.elementBytes),
                                      question.options, question.system);
  input.defaults = sizesAssumed(question, loaded.graph);
  if (input.options.model == StrategyCostModel::Hierarchical) {
    input.defaults.push_back(
        {"--cost-model", "the " + std::string(question.pricing.cost.model) + " model of collectives"});
  }
  std::ranges::copy(defaultsOf(input.options, question.options, question.system), std::back_inserter(input.defaults));
  input.system = question.system;
  input.pricing = question.pricing;
  if (input.options.model == StrategyCostModel::Hierarchical) {
    loaded.graph = withSharedTensors(std::move(loaded.graph));
  }
  input.graph = std::make_shared<const ComputationGraph>(std::move(loaded.graph));
  if (auto note = cutoffNote(*input.graph, input.options)) input.notes.push_back(std::move(*note));
  if (auto note = sequencesNote(question, input)) input.notes.push_back(std::move(*note));
  return input;
}

Result<StrategyPrices> StrategyPrices::of(const StrategyInput& input, std::stop_token stop) {
  if (!input.isOnMesh()) return StrategyPrices(FlatPricer(input.options.bandwidth));
  P2_TRY_ASSIGN(const auto system, systemOfDevices(input.system, input.options.devices));
  return StrategyPrices(std::make_unique<Simulated>(system, input.pricing, std::move(stop)));
}

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
