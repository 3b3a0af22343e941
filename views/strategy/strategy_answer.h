// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mapping/mapped_baselines.h"
#include "strategy/baselines.h"
#include "strategy/bounded_solver.h"
#include "views/strategy/strategy_instance.h"

namespace p2::views {

/// The best strategies of an instance, at least one.
struct StrategyAnswer {
  std::shared_ptr<const StrategyInstance> instance;
  Pins pins;  ///< that were kept to
  Solution solution;
  double lowerBound = 0;  ///< no strategy that fits the memory costs less
  bool optimal = true;    ///< whether none is cheaper than the first
};

/// Strategies of the answer that cost the same as this one; 1 or more.
[[nodiscard]] std::size_t tiesOf(const StrategyAnswer& answer, std::size_t strategy);
/// "one of 3 of the same cost", "one of at least 10 of the same cost"; empty where it is the only one.
[[nodiscard]] QString tiesText(const StrategyAnswer& answer, std::size_t strategy);

/// What the best strategy is measured against.
struct BaselineAnswer {
  std::string_view name;
  std::string_view meaning;
  std::optional<double> cost;
  Bytes memory;                    ///< of each device
  std::optional<CostSplit> split;  ///< nothing where only the sum is known
  std::string reason;              ///< why there is none
};

}  // namespace p2::views
