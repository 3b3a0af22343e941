// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "strategy/strategy_problem.h"

namespace p2::inline graphs {

/// A file of cost tables (format "strategy-tables"): the problem, and its best strategy when the file tells it.
struct StrategyFile {
  StrategyProblem problem;
  std::optional<double> bestCost;                      ///< "best_cost"
  std::optional<std::vector<std::size_t>> bestChoice;  ///< "best_index"
  friend bool operator==(const StrategyFile&, const StrategyFile&) = default;
};

/// Reads "vertices" [name, domain], "domains" {"configs", "cost"}, "edges" [from, to, table] and "tables"
/// [from's configuration][to's]. The problem is validated(). Errors name the JSON pointer. O(length), without a tree;
/// a text that is moved here is not copied.
[[nodiscard]] Result<StrategyFile> strategyFileFromJson(std::string text, std::stop_token stop = {});
/// The problem alone.
[[nodiscard]] Result<StrategyProblem> strategyProblemFromJson(std::string text, std::stop_token stop = {});
[[nodiscard]] std::string strategyFileToJson(const StrategyFile& file);

}  // namespace p2::inline graphs
