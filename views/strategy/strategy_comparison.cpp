// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_comparison.h"

#include <QObject>

#include "mapping/axis_names.h"
#include "views/common/text.h"
#include "views/strategy/strategy_costs.h"
#include "views/strategy/strategy_finder.h"

namespace p2::views {
namespace {

void addMemory(ComparisonBars::Bar& bar, const StrategyInstance& instance, Bytes needed) {
  if (!instance.graph) return;
  bar.memory = bytesText(needed);
  const Bytes limit = instance.deviceMemory();
  bar.fits = limit == Bytes(0) || needed <= limit;
  if (bar.fits) return;
  bar.memory = QObject::tr("✗ %1").arg(bar.memory);
  bar.meaning += QObject::tr(" A device has %1.").arg(bytesText(limit));
}

void addSplit(ComparisonBars::Bar& bar, const StrategyInstance& instance, const CostSplit& split) {
  const double total = split.total();
  if (!instance.graph || total <= 0) return;
  bar.split = SplitShares{split.compute / total, split.reduce / total, split.resharding / total};
  bar.meaning += QObject::tr(" Computation %1, reductions %2, resharding %3.")
                     .arg(costText(instance, split.compute), costText(instance, split.reduce),
                          costText(instance, split.resharding));
}

/// A baseline under another ZeRO stage than the search's can cost less than the search's best.
QString otherStageWords(const StrategyInstance& instance, const StrategyBaseline& baseline) {
  const int searched = instance.options.memory.zero;
  if (!baseline.zero || searched == *baseline.zero) return {};
  return QObject::tr(" The search uses ZeRO stage %1; choose stage %2 under Memory of a device to search with it.")
      .arg(searched)
      .arg(*baseline.zero);
}

QString degreesWords(const StrategyBaseline& baseline) {
  const QString degrees = qs(degreesText(baseline.degrees));
  return degrees.isEmpty() ? QString() : QObject::tr(" Degrees: %1.").arg(degrees);
}

ComparisonBars::Bar barOf(const StrategyInstance& instance, const StrategyBaseline& baseline) {
  ComparisonBars::Bar bar{
      qs(baseline.name), qs(baseline.meaning) + otherStageWords(instance, baseline), {}, qs(baseline.reason)};
  if (!baseline.reason.empty()) return bar;
  bar.meaning += degreesWords(baseline);
  if (const std::int64_t all = instance.problem.devices; baseline.devices > 0 && baseline.devices < all) {
    bar.name += QObject::tr(" · %1 of %2").arg(baseline.devices).arg(all);
    bar.meaning += QObject::tr(" It uses %1 of %2 devices.").arg(baseline.devices).arg(all);
  }
  bar.cost = baseline.cost;
  bar.text = costText(instance, baseline.cost);
  if (baseline.split) addSplit(bar, instance, *baseline.split);
  if (baseline.memory) addMemory(bar, instance, *baseline.memory);
  return bar;
}

QString certaintyOfPriced(const StrategyAnswer& answer) {
  if (!answer.optimal) {
    const QString bound = costText(*answer.instance, answer.lowerBound);
    return answer.instance->deviceMemory() > Bytes(0)
               ? QObject::tr("The cheapest strategy found that fits the memory; none that fits costs less than %1.")
                     .arg(bound)
               : QObject::tr("The cheapest strategy found; none costs less than %1.").arg(bound);
  }
  if (answer.instance->onMesh) {
    return QObject::tr("The cheapest strategy of all on one mesh of up to three axes: %1. %2")
        .arg(meshWords(*answer.instance), unmodelledEffectsText(*answer.instance).join(' '));
  }
  if (answer.instance->deviceMemory() == Bytes(0)) return QObject::tr("The cheapest strategy of all, found exactly.");
  return QObject::tr("The cheapest strategy of all that fit the memory, found exactly.");
}

QString certaintyText(const StrategyAnswer& answer) {
  const QString unpriced = unpricedWords(*answer.instance);
  const QString text = certaintyOfPriced(answer);
  return unpriced.isEmpty() ? text : QObject::tr("%1 Not priced: %2.").arg(text, unpriced);
}

}  // namespace

std::vector<ComparisonBars::Bar> comparisonOf(const StrategyFinder& finder) {
  std::vector<ComparisonBars::Bar> bars;
  const auto answer = finder.answer();
  if (!answer) return bars;
  const StrategyInstance& instance = *answer->instance;
  const Strategy& best = answer->solution.strategies.front();
  const QString name = answer->pins.empty() ? QObject::tr("best") : QObject::tr("best with these pins");
  bars.push_back({name, certaintyText(*answer), best.cost, costText(instance, best.cost)});
  addSplit(bars.back(), instance, splitOf(instance, best.choice));
  addMemory(bars.back(), instance, Bytes(memoryOf(instance.problem, best.choice)));
  if (const auto free = finder.freeCost()) {
    bars.push_back({QObject::tr("best without pins"), QObject::tr("The lowest cost without any pinned operator."),
                    *free, costText(instance, *free)});
  }
  for (const StrategyBaseline& baseline : finder.baselines()) bars.push_back(barOf(instance, baseline));
  return bars;
}

std::size_t mostCompared() { return 1 + mostBaselines(); }

}  // namespace p2::views
