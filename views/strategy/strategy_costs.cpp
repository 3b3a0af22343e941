// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_costs.h"

#include <QObject>
#include <algorithm>
#include <cmath>

#include "base/near.h"

namespace p2::views {
std::vector<CostSplit> costsOf(const StrategyInstance& instance, const std::vector<std::size_t>& choice) {
  const StrategyProblem& problem = instance.problem;
  std::vector<CostSplit> costs(problem.vertices.size());
  for (std::size_t v = 0; v < costs.size(); ++v) {
    const ConfigurationDomain& domain = problem.domainOf(v);
    const double own = domain.costs[choice[v]];
    costs[v].compute = own;
    if (!instance.graph) continue;
    const double once =
        computeSeconds(instance.graph->operators[v], domain.configurations[choice[v]], instance.options);
    costs[v].compute = std::min(own, double(instance.options.passes) * once);
    costs[v].reduce = own - costs[v].compute;
    // What is left of a sum that was taken apart again is no collective.
    if (nearlyEqual(own, costs[v].compute)) costs[v].reduce = 0;
  }
  for (const StrategyProblem::Edge& edge : problem.edges) {
    costs[edge.to].exchange += problem.tables[edge.table].at(choice[edge.from], choice[edge.to]);
  }
  return costs;
}

CostSplit splitOf(const StrategyInstance& instance, const std::vector<std::size_t>& choice) {
  CostSplit split;
  for (const CostSplit& cost : costsOf(instance, choice)) {
    split.compute += cost.compute;
    split.reduce += cost.reduce;
    split.exchange += cost.exchange;
  }
  return split;
}

QString splitText(const StrategyInstance& instance, const CostSplit& split) {
  const double total = split.total();
  if (total <= 0) return {};
  QStringList parts;
  const auto add = [&](const QString& name, double cost) {
    constexpr double kLeast = 0.0005;
    if (cost > 0) parts << name + ' ' + (cost / total < kLeast ? QStringLiteral("< 0.1 %") : percentText(cost / total));
  };
  add(instance.graph ? QObject::tr("compute") : QObject::tr("vertices"), split.compute);
  add(QObject::tr("reduce"), split.reduce);
  add(instance.graph ? QObject::tr("exchange") : QObject::tr("edges"), split.exchange);
  return parts.join(QStringLiteral(" · "));
}

QString overFreeText(double cost, double free) {
  if (!definitelyLess(free, cost)) return QObject::tr("costs nothing");
  if (free <= 0) return QObject::tr("dearer than free");
  return QObject::tr("+%1 over free").arg(percentText(cost / free - 1));
}

}  // namespace p2::views
