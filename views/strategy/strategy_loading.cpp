// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_loading.h"

#include "graphs/bundled_graphs.h"
#include "graphs/strategy_json.h"
#include "graphs/strategy_source.h"
#include "text/text_file.h"

namespace p2::views {
namespace {

using Loaded = std::shared_ptr<const StrategyInstance>;

Result<std::unique_ptr<CollectivePricer>> pricerFor(const StrategyQuestion& question, const std::stop_token& stop) {
  return p2::pricerFor(question.options, question.system, question.pricing, stop);
}

Result<Loaded> loadTables(const std::string& path, const std::stop_token& stop) {
  P2_TRY_ASSIGN(auto text, readTextFile(path));
  P2_TRY_ASSIGN(auto problem, strategyProblemFromJson(std::move(text), stop).within(path));
  return std::make_shared<const StrategyInstance>(StrategyInstance{std::move(problem), {}, {}, {}});
}

}  // namespace

StrategyQuestion questionOf(const Workspace& workspace) {
  const StrategyChoice& choice = workspace.strategy;
  StrategyQuestion question{choice.graph, {}, choice.options, {}, {}};
  if (choice.batch > 0 && hasOpenBatch(choice.graph)) question.sizes.batch = choice.batch;
  if (choice.sequence > 0 && hasOpenSequence(choice.graph)) question.sizes.sequence = choice.sequence;
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
  question.options = filledIn(question.options, question.system);
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

Result<std::shared_ptr<const StrategyInstance>> loadStrategy(const StrategyQuestion& question, std::stop_token stop,
                                                             const Progress& progress) {
  if (!namesGraph(question.graph)) return loadTables(question.graph, stop);
  P2_TRY_ASSIGN(auto loaded, graphFromArgument(question.graph, question.sizes, stop));
  P2_TRY_ASSIGN(const auto pricer, pricerFor(question, stop));
  P2_TRY_ASSIGN(auto problem, strategyProblemFrom(loaded.graph, question.options, *pricer, stop, progress));
  QStringList warnings;
  for (const std::string& warning : loaded.warnings) warnings << QString::fromStdString(warning);
  if (const auto note = cutoffNote(loaded.graph, question.options)) {
    const QString sentence = QString::fromStdString(*note);
    warnings << sentence.left(1).toUpper() + sentence.mid(1) + '.';
  }
  return std::make_shared<const StrategyInstance>(
      StrategyInstance{std::move(problem), std::move(loaded.graph), warnings, question.options});
}

Result<std::vector<StrategyNeed>> needsOf(const StrategyQuestion& question, const StrategyInstance& instance,
                                          const Strategy& strategy, const std::stop_token& stop) {
  if (!instance.graph) return std::vector<StrategyNeed>();
  P2_TRY_ASSIGN(const auto pricer, pricerFor(question, stop));
  return strategyNeeds(*instance.graph, question.options, instance.problem, strategy,
                       dynamic_cast<HierarchicalPrices*>(pricer.get()));
}

}  // namespace p2::views
