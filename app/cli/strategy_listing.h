// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>

#include "app/cli/strategy_compare.h"
#include "app/cli/strategy_graph.h"

namespace p2::cli {

/// What p2 strategy shows; the solution has one strategy or more, and the needs are those of the best.
struct StrategyListing {
  const StrategyQuestion& question;
  const BoundedSolution& bounded;
  const std::vector<StrategyNeed>& needs;  ///< empty without a graph
  const std::vector<ComparedStrategy>& compared;
  bool evaluated = false;  ///< the strategy was given, not found
  bool folded = true;      ///< as text, layers that are divided alike are listed once
  [[nodiscard]] const Solution& solution() const { return bounded.solution; }
};

/// `several` lists all strategies, be there but one.
void writeJson(std::ostream& out, const StrategyListing& listing, bool several);
void writeText(std::ostream& out, const StrategyListing& listing);

}  // namespace p2::cli
