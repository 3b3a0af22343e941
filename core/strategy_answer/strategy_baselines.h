// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "strategy_answer/detail/strategy_instance.h"

namespace p2::inline strategy_answer {

/// A common strategy that needs no search, priced like the best one.
struct StrategyBaseline {
  std::string name;
  std::string meaning;  ///< in one sentence
  std::string reason;   ///< why there is none; the rest is then empty
  double cost = 0;
  std::optional<CostSplit> split = {};  ///< unknown of cost tables, as is the memory
  std::optional<Bytes> memory = {};     ///< the fullest device's
  bool fits = true;
  std::int64_t devices = 0;  ///< that it uses
  std::optional<Mesh> mesh = {};
  /// "data", "tensor", … and "pipeline" with the devices along each; empty where axes have no names.
  std::vector<Axis> degrees = {};
  bool sequenceParallel = false;  ///< whether its tensor axes also split sequences
  std::int64_t stages = 1;        ///< pipeline stages
  std::string stageFactors = {};  ///< stageFactorsText()
  std::optional<int> zero = {};   ///< the stage of ZeRO, where that is its own and not the question's
};

/// The baselines of the question's model. On a mesh mappedBaselinesOf(); otherwise kBaselines, and of a graph
/// fully sharded data parallelism, and expert parallelism where it has experts. Errors: cancelled; others are the
/// reasons of baselines.
[[nodiscard]] Result<std::vector<StrategyBaseline>> baselinesOf(const StrategyInstance& instance,
                                                                StrategyPrices& prices,
                                                                const std::stop_token& stop = {},
                                                                const Progress& progress = {});
/// Baselines of a question on a mesh; needs no instance, that is, no search for the best.
[[nodiscard]] Result<std::vector<StrategyBaseline>> meshBaselinesOf(const StrategyInput& input, StrategyPrices& prices,
                                                                    const std::stop_token& stop = {},
                                                                    const Progress& progress = {});
/// Baselines that baselinesOf() gives at most.
[[nodiscard]] std::size_t mostBaselines();

}  // namespace p2::inline strategy_answer
