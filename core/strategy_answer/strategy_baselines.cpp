// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy_answer/strategy_baselines.h"

#include <algorithm>

#include "mapping/axis_names.h"
#include "mapping/mapped_baselines.h"
#include "strategy/baselines.h"

namespace p2::inline strategy_answer {
namespace {

StrategyBaseline named(std::string_view name, std::string_view meaning) {
  StrategyBaseline baseline;
  baseline.name = name;
  baseline.meaning = meaning;
  return baseline;
}

/// A strategy of the instance's tables as a baseline. Errors: cancelled.
Result<StrategyBaseline> ofTables(const StrategyInstance& instance, std::string_view name, std::string_view meaning,
                                  const Result<Strategy>& strategy) {
  StrategyBaseline baseline = named(name, meaning);
  if (!strategy.ok()) {
    if (strategy.error().kind == ErrorKind::Cancelled) return cancelledError();
    baseline.reason = strategy.error().text();
    return baseline;
  }
  baseline.cost = strategy->cost;
  baseline.devices = devicesUsed(instance.problem, strategy->choice);
  if (!instance.graph) return baseline;
  baseline.split = splitOf(instance, strategy->choice);
  baseline.memory = Bytes(memoryOf(instance.problem, strategy->choice));
  baseline.fits = instance.deviceMemory() == Bytes(0) || *baseline.memory <= instance.deviceMemory();
  return baseline;
}

/// Data parallelism with sharded parameters has other costs than the instance, and so tables of its own.
Result<StrategyBaseline> fullySharded(const StrategyInstance& instance, StrategyPrices& prices,
                                      const std::stop_token& stop) {
  StrategyInput input = instance;
  input.options.memory.zero = kMostZero;
  P2_TRY_ASSIGN(const auto sharded, strategyInstance(std::move(input), {}, prices, stop));
  P2_TRY_ASSIGN(auto baseline,
                ofTables(sharded, nameOf(MappedBaseline::FullyShardedData), meaningOf(MappedBaseline::FullyShardedData),
                         baselineStrategy(sharded.problem, Baseline::DataParallelism, stop)));
  baseline.zero = kMostZero;
  return baseline;
}

Result<std::vector<StrategyBaseline>> tableBaselinesOf(const StrategyInstance& instance, StrategyPrices& prices,
                                                       const std::stop_token& stop, const Progress& progress) {
  std::vector<StrategyBaseline> all;
  const auto add = [&](Result<StrategyBaseline> baseline) -> Result<void> {
    P2_TRY_ASSIGN(auto priced, std::move(baseline));
    all.push_back(std::move(priced));
    if (progress) progress(static_cast<double>(all.size()) / static_cast<double>(mostBaselines()));
    return {};
  };
  for (const Baseline baseline : kBaselines) {
    P2_TRY(add(
        ofTables(instance, nameOf(baseline), meaningOf(baseline), baselineStrategy(instance.problem, baseline, stop))));
  }
  if (!instance.graph) return all;
  P2_TRY(add(fullySharded(instance, prices, stop)));
  if (!isRouted(*instance.graph)) return all;
  P2_TRY(add(ofTables(instance, nameOf(MappedBaseline::Expert), meaningOf(MappedBaseline::Expert),
                      expertStrategy(*instance.graph, instance.problem, stop))));
  return all;
}

Result<StrategyBaseline> ofMesh(const StrategyInput& input, MappedBaseline which, StrategyPrices& prices,
                                const std::stop_token& stop, const Progress& progress) {
  StrategyBaseline baseline = named(nameOf(which), meaningOf(which));
  if (which == MappedBaseline::FullyShardedData) baseline.zero = kMostZero;
  const auto found = mappedBaseline(*input.graph, input.options, *input.system, prices.onMesh(), which, stop, progress);
  if (!found.ok()) {
    if (found.error().kind == ErrorKind::Cancelled) return cancelledError();
    baseline.reason = found.error().text();
    return baseline;
  }
  const Strategy& strategy = found->solution.bounded.solution.strategies.front();
  baseline.cost = strategy.cost;
  baseline.split = found->split;
  baseline.memory = found->memory;
  baseline.fits = found->fits;
  baseline.devices = devicesUsed(found->solution.mapped.problem, strategy.choice);
  baseline.mesh = found->solution.mapped.mesh;
  baseline.degrees = namedAxesOf(*baseline.mesh, found->axisNames);
  baseline.sequenceParallel = isSequenceParallel(found->axisNames, found->sequenceAxes);
  return baseline;
}

}  // namespace

Result<std::vector<StrategyBaseline>> meshBaselinesOf(const StrategyInput& input, StrategyPrices& prices,
                                                      const std::stop_token& stop, const Progress& progress) {
  std::vector<StrategyBaseline> all;
  const auto wanted = mappedBaselinesOf(*input.graph);
  for (const MappedBaseline which : wanted) {
    const auto share = [&](double done) {
      if (progress) progress((static_cast<double>(all.size()) + done) / static_cast<double>(wanted.size()));
    };
    P2_TRY_ASSIGN(auto baseline, ofMesh(input, which, prices, stop, share));
    all.push_back(std::move(baseline));
    share(0);
  }
  return all;
}

Result<std::vector<StrategyBaseline>> baselinesOf(const StrategyInstance& instance, StrategyPrices& prices,
                                                  const std::stop_token& stop, const Progress& progress) {
  return instance.isOnMesh() ? meshBaselinesOf(instance, prices, stop, progress)
                             : tableBaselinesOf(instance, prices, stop, progress);
}

std::size_t mostBaselines() { return std::max(kBaselines.size() + 2, kMappedBaselines.size()); }

}  // namespace p2::inline strategy_answer
