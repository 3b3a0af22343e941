// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>

#include "app/cli/strategy_input.h"
#include "text/json_writer.h"

namespace p2::cli {

/// A strategy that people choose without a search, beside the best.
struct ComparedStrategy {
  std::string name;
  std::string reason;  ///< why there is none; the rest is then of no account
  double cost = 0;
  std::optional<CostSplit> split;  ///< unknown of cost tables
  std::optional<Bytes> memory;
  bool fits = true;
  std::string mesh;              ///< on which it is cheapest, under the hierarchical model
  std::int64_t stages = 1;       ///< of its pipeline
  std::string dealt = {};        ///< how the devices are assigned to them
  std::optional<int> zero = {};  ///< the stage of ZeRO that it is, where that is its own and not the question's
};

/// The baselines of the question's model, priced as the question is.
[[nodiscard]] Result<std::vector<ComparedStrategy>> comparedStrategies(const StrategyQuestion& question);

void writeCompared(JsonWriter& json, const std::vector<ComparedStrategy>& compared);
/// `best` is what they are measured against.
void writeCompared(std::ostream& out, const StrategyQuestion& question, const std::vector<ComparedStrategy>& compared,
                   double best);

}  // namespace p2::cli
