// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_loading.h"

#include "graphs/bundled_graphs.h"
#include "views/common/text.h"

namespace p2::views {

StrategyQuestion questionOf(const Workspace& workspace) {
  const StrategyChoice& choice = workspace.strategy;
  StrategyQuestion question{.graph = choice.graph, .suggestsSizes = true, .options = choice.options};
  if (choice.batch > 0 && hasOpenBatch(choice.graph)) question.sizes.batch = choice.batch;
  if (choice.sequence > 0 && hasOpenSequence(choice.graph)) question.sizes.sequence = choice.sequence;
  if (choice.capacityFactor > 0 && hasCapacity(choice.graph)) question.sizes.capacityFactor = choice.capacityFactor;
  if (question.graph.ends_with(".onnx")) question.sizes.dimensions = choice.dimensions;
  if (question.options.devices == StrategyChoice::kAllDevices) {
    question.options.devices = workspace.system.deviceCount();
  }
  if (question.options.model == StrategyCostModel::Flat) return question;
  question.pins = choice.pins;
  question.system = workspace.system;
  question.pricing = workspace.options;
  // Every collective has its own bytes, and is run once.
  question.pricing.cost.bytes = CostOptions{}.bytes;
  question.pricing.cost.repeat = CostOptions{}.repeat;
  return question;
}

StrategySearch listedSearch(const StrategyQuestion& question) {
  StrategySearch search;
  search.solving.best = kListedStrategies;
  search.pins = question.pins;
  return search;
}

Result<std::shared_ptr<const StrategyInstance>> loadStrategy(const StrategyQuestion& question,
                                                             const std::stop_token& stop, const Progress& progress) {
  P2_TRY_ASSIGN(auto input, readStrategyInput(question, stop));
  P2_TRY_ASSIGN(auto prices, StrategyPrices::of(input, stop));
  P2_TRY_ASSIGN(auto instance, strategyInstance(std::move(input), listedSearch(question), prices, stop, progress));
  return std::make_shared<const StrategyInstance>(std::move(instance));
}

QStringList bundledGraphNames() {
  QStringList names;
  for (const BundledGraph& graph : bundledGraphs()) {
    names << QString::fromUtf8(graph.name.data(), qsizetype(graph.name.size()));
  }
  for (const std::string& name : bundledModelNames()) names << qs(name);
  return names;
}

}  // namespace p2::views
