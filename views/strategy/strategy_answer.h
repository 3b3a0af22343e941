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

/// What the best strategy is measured against.
struct BaselineAnswer {
  std::string_view name;
  std::string_view meaning;
  std::optional<double> cost;
  Bytes memory;                    ///< of each device
  std::optional<CostSplit> split;  ///< on a mesh
  std::string reason;              ///< why there is none
};

}  // namespace p2::views
