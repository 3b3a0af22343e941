// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_loading.h"

#include <QObject>

#include "graphs/bundled_graphs.h"
#include "graphs/strategy_json.h"
#include "graphs/strategy_source.h"
#include "mapping/mapped_needs.h"
#include "strategy/shared_tensors.h"
#include "text/text_file.h"
#include "views/strategy/strategy_costs.h"

namespace p2::views {
namespace {

using Loaded = std::shared_ptr<const StrategyInstance>;

Result<std::unique_ptr<CollectivePricer>> pricerFor(const StrategyQuestion& question, const std::stop_token& stop) {
  return p2::pricerFor(question.options, question.system, question.pricing, stop);
}

Result<Loaded> loadTables(const std::string& path, const std::stop_token& stop) {
  P2_TRY_ASSIGN(auto text, readTextFile(path));
  P2_TRY_ASSIGN(auto problem, strategyProblemFromJson(std::move(text), stop).within(path));
  auto repeats = repeatsOf(problem, nullptr);
  return std::make_shared<const StrategyInstance>(
      StrategyInstance{std::move(problem), {}, {}, {}, {}, std::move(repeats)});
}

/// The best strategies on one mesh; pins that the graph does not know are left aside.
Result<StrategyInstance> onBestMesh(const StrategyQuestion& question, ComputationGraph graph,
                                    const std::stop_token& stop, const Progress& progress) {
  P2_TRY_ASSIGN(const auto pricer, pricerFor(question, stop));
  auto& prices = dynamic_cast<HierarchicalPrices&>(*pricer);
  SimulatedMeshPricer onMesh(prices);
  MappedRequest request;
  request.solving.best = kListedStrategies;
  request.limits.pins.resize(graph.operators.size());
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    for (const StrategyPin& pin : question.pins) {
      const bool same = pin.vertex == graph.operators[v].name;
      if (same && pin.parts.size() == graph.operators[v].dimensions.size()) {
        request.limits.pins[v] = MappedPin{pin.parts, {}};
      }
    }
  }
  P2_TRY_ASSIGN(auto solution, solveMapped(graph, question.options, prices.system(), onMesh, request, stop, progress));
  StrategyProblem problem = solution.mapped.problem;
  return StrategyInstance{std::move(problem),
                          std::move(graph),
                          {},
                          question.options,
                          MeshAnswer{std::move(solution), *question.system, question.pricing}};
}

Result<StrategyInstance> pricedInstance(const StrategyQuestion& question, ComputationGraph graph,
                                        const std::stop_token& stop, const Progress& progress) {
  if (question.options.model == StrategyCostModel::Hierarchical) {
    return onBestMesh(question, std::move(graph), stop, progress);
  }
  P2_TRY_ASSIGN(const auto pricer, pricerFor(question, stop));
  P2_TRY_ASSIGN(auto problem, strategyProblemFrom(graph, question.options, *pricer, stop, progress));
  return StrategyInstance{std::move(problem), std::move(graph), {}, question.options, {}};
}

/// What a strategy of the instance does on its mesh.
Result<Mapping> mappingOf(const StrategyInstance& instance, const Strategy& strategy, HierarchicalPrices& prices) {
  SimulatedMeshPricer pricer(prices);
  return p2::mappingOf(MappedGraph(*instance.graph, instance.options), instance.onMesh->solution.mapped, strategy,
                       pricer);
}

/// The sizes that a model leaves open and nobody has given are usual ones, which is said.
Result<void> fillOpenSizes(StrategyQuestion& question, QStringList& said, const std::stop_token& stop) {
  if (!question.graph.ends_with(".onnx")) return {};
  P2_TRY_ASSIGN(const auto open, openDimensions(question.graph, stop));
  const OnnxSizes sizes = withSuggestions({question.sizes.batch, question.sizes.dimensions}, open);
  QStringList taken;
  for (const OpenDimension& each : open) {
    const bool given = question.sizes.dimensions.contains(each.name) || (each.axis == 0 && question.sizes.batch);
    if (!given) taken << QString::fromStdString(each.name) + " = " + QString::number(sizes.dimensions.at(each.name));
  }
  if (!taken.isEmpty()) {
    said << QObject::tr("The model leaves sizes open; taken as %1, to be changed on the left.").arg(taken.join(", "));
  }
  question.sizes.dimensions = sizes.dimensions;
  question.sizes.batch.reset();
  return {};
}

/// Of cost tables, and what they say of it.
Result<BaselineAnswer> answerOf(const StrategyInstance& instance, std::string_view name, std::string_view meaning,
                                const Result<Strategy>& strategy) {
  if (!strategy.ok() && strategy.error().kind == ErrorKind::Cancelled) return cancelledError();
  BaselineAnswer answer{name, meaning, {}, {}, {}, {}};
  if (!strategy.ok()) {
    answer.reason = strategy.error().text();
    return answer;
  }
  answer.cost = strategy->cost;
  answer.memory = Bytes(memoryOf(instance.problem, strategy->choice));
  if (instance.graph) answer.split = splitOf(instance, strategy->choice);
  return answer;
}

Result<BaselineAnswer> expertBaseline(const StrategyInstance& instance, const std::stop_token& stop) {
  return answerOf(instance, nameOf(MappedBaseline::Expert), meaningOf(MappedBaseline::Expert),
                  expertStrategy(*instance.graph, instance.problem, stop));
}

}  // namespace

StrategyQuestion questionOf(const Workspace& workspace) {
  const StrategyChoice& choice = workspace.strategy;
  StrategyQuestion question{choice.graph, {}, choice.options, {}, {}, {}};
  if (choice.options.model == StrategyCostModel::Hierarchical) question.pins = choice.pins;
  if (choice.batch > 0 && hasOpenBatch(choice.graph)) question.sizes.batch = choice.batch;
  if (choice.sequence > 0 && hasOpenSequence(choice.graph)) question.sizes.sequence = choice.sequence;
  if (choice.capacityFactor > 0 && hasCapacity(choice.graph)) question.sizes.capacityFactor = choice.capacityFactor;
  if (question.options.devices == StrategyChoice::kAllDevices) {
    question.options.devices = workspace.system.deviceCount();
  }
  if (question.options.model != StrategyCostModel::Flat) {
    question.system = workspace.system;
    question.pricing = workspace.options;
    // Every collective has its own bytes, and is run once.
    question.pricing.cost.bytes = CostOptions{}.bytes;
    question.pricing.cost.repeat = CostOptions{}.repeat;
  }
  question.asked = question.options;
  question.options = filledIn(question.options, question.system);
  if (question.graph.ends_with(".onnx")) question.sizes.dimensions = choice.dimensions;
  return question;
}

QStringList bundledGraphNames() {
  QStringList names;
  for (const BundledGraph& graph : bundledGraphs()) {
    names << QString::fromUtf8(graph.name.data(), qsizetype(graph.name.size()));
  }
  for (const std::string& name : bundledModelNames()) names << QString::fromStdString(name);
  return names;
}

Result<SizedQuestion> loadGraph(const StrategyQuestion& question, const std::stop_token& stop) {
  SizedQuestion read{question, {}, {}};
  P2_TRY(fillOpenSizes(read.question, read.said, stop));
  P2_TRY_ASSIGN(read.loaded, graphFromArgument(read.question.graph, read.question.sizes, stop));
  if (question.asked.wordBytes == Bytes(0)) {
    read.question.options = filledIn(question.asked, question.system, read.loaded.graph.elementBytes);
  }
  return read;
}

Result<std::shared_ptr<const StrategyInstance>> loadStrategy(const StrategyQuestion& question, std::stop_token stop,
                                                             const Progress& progress) {
  if (!namesGraph(question.graph)) return loadTables(question.graph, stop);
  P2_TRY_ASSIGN(auto read, loadGraph(question, stop));
  const StrategyQuestion& sized = read.question;
  LoadedGraph& loaded = read.loaded;
  const auto note = cutoffNote(loaded.graph, sized.options);
  if (sized.options.model == StrategyCostModel::Hierarchical) {
    loaded.graph = withSharedTensors(std::move(loaded.graph));
  }
  P2_TRY_ASSIGN(auto instance, pricedInstance(sized, std::move(loaded.graph), stop, progress));
  instance.repeats = repeatsOf(instance.problem, &*instance.graph);
  QStringList& warnings = instance.warnings;
  if (!unpricedWords(instance).isEmpty()) warnings << QObject::tr("Not priced: %1.").arg(unpricedWords(instance));
  warnings << read.said;
  for (const std::string& assumed : instance.graph->assumed) {
    const QString words = QString::fromStdString(assumed);
    warnings << QObject::tr("Assumed: %1.").arg(words.endsWith('.') ? words.chopped(1) : words);
  }
  for (const std::string& warning : loaded.warnings) warnings << QString::fromStdString(warning);
  if (note) {
    const QString sentence = QString::fromStdString(*note);
    warnings << sentence.left(1).toUpper() + sentence.mid(1) + '.';
  }
  return std::make_shared<const StrategyInstance>(std::move(instance));
}

Result<std::vector<StrategyNeed>> needsOf(const StrategyQuestion& question, const StrategyInstance& instance,
                                          const Strategy& strategy, const std::stop_token& stop) {
  if (!instance.graph) return std::vector<StrategyNeed>();
  P2_TRY_ASSIGN(const auto pricer, pricerFor(question, stop));
  if (instance.onMesh) {
    auto& prices = dynamic_cast<HierarchicalPrices&>(*pricer);
    P2_TRY_ASSIGN(const auto mapping, mappingOf(instance, strategy, prices));
    return mappedNeeds(MappedGraph(*instance.graph, instance.options), instance.onMesh->solution.mapped, mapping,
                       prices);
  }
  return strategyNeeds(*instance.graph, instance.options, instance.problem, strategy,
                       dynamic_cast<HierarchicalPrices*>(pricer.get()));
}

Result<WorkloadSource> workloadOf(const StrategyInstance& instance, const Strategy& strategy,
                                  const std::stop_token& stop) {
  if (!instance.onMesh) return p2::workloadOf(*instance.graph, instance.options, instance.problem, strategy);
  P2_TRY_ASSIGN(const auto pricer,
                p2::pricerFor(instance.options, instance.onMesh->system, instance.onMesh->pricing, stop));
  auto& prices = dynamic_cast<HierarchicalPrices&>(*pricer);
  P2_TRY_ASSIGN(const auto mapping, mappingOf(instance, strategy, prices));
  return p2::workloadOf(MappedGraph(*instance.graph, instance.options), instance.onMesh->solution.mapped, mapping);
}

Result<std::vector<BaselineAnswer>> baselinesOf(const StrategyInstance& instance, const std::stop_token& stop,
                                                const Progress& progress) {
  std::vector<BaselineAnswer> answers;
  if (!instance.onMesh) {
    for (const Baseline baseline : kBaselines) {
      P2_TRY_ASSIGN(auto answer, answerOf(instance, nameOf(baseline), meaningOf(baseline),
                                          baselineStrategy(instance.problem, baseline, stop)));
      answers.push_back(std::move(answer));
      if (progress) progress(double(answers.size()) / double(kBaselines.size()));
    }
    if (instance.graph && isRouted(*instance.graph)) {
      P2_TRY_ASSIGN(auto answer, expertBaseline(instance, stop));
      answers.push_back(std::move(answer));
    }
    return answers;
  }
  P2_TRY_ASSIGN(const auto pricer,
                p2::pricerFor(instance.options, instance.onMesh->system, instance.onMesh->pricing, stop));
  SimulatedMeshPricer onMesh(dynamic_cast<HierarchicalPrices&>(*pricer));
  const auto all = mappedBaselinesOf(*instance.graph);
  for (const MappedBaseline baseline : all) {
    const auto share = [&](double done) {
      if (progress) progress((double(answers.size()) + done) / double(all.size()));
    };
    const auto found =
        mappedBaseline(*instance.graph, instance.options, instance.onMesh->system, onMesh, baseline, stop, share);
    if (!found.ok() && found.error().kind == ErrorKind::Cancelled) return cancelledError();
    BaselineAnswer answer{nameOf(baseline), meaningOf(baseline), {}, {}, {}, {}};
    if (found.ok()) {
      answer.cost = found->split.total();
      answer.memory = found->memory;
      answer.split = found->split;
    } else {
      answer.reason = found.error().text();
    }
    answers.push_back(std::move(answer));
    if (progress) progress(double(answers.size()) / double(all.size()));
  }
  return answers;
}

}  // namespace p2::views
