// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/strategy/strategy_answer.h"

#include <QObject>
#include <algorithm>

#include "base/near.h"
#include "views/strategy/strategy_loading.h"

namespace p2::views {

std::size_t tiesOf(const StrategyAnswer& answer, std::size_t strategy) {
  const auto& strategies = answer.solution.strategies;
  const double cost = strategies[strategy].cost;
  return std::size_t(std::count_if(strategies.begin(), strategies.end(),
                                   [=](const Strategy& other) { return nearlyEqual(other.cost, cost); }));
}

QString tiesText(const StrategyAnswer& answer, std::size_t strategy) {
  const auto& strategies = answer.solution.strategies;
  const std::size_t ties = tiesOf(answer, strategy);
  if (ties == 1) return {};
  // The list may end among them.
  const bool more =
      strategies.size() >= kListedStrategies && nearlyEqual(strategies.back().cost, strategies[strategy].cost);
  return (more ? QObject::tr("one of at least %1 of the same cost") : QObject::tr("one of %1 of the same cost"))
      .arg(ties);
}

}  // namespace p2::views
