// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "strategy/graph_costs.h"

namespace p2::inline strategy {

/// Sequences and tokens of one pass through a model of tokens.
struct PassSizes {
  std::int64_t sequences = 0;
  std::int64_t tokens = 0;
  friend bool operator==(const PassSizes&, const PassSizes&) = default;
};
/// Sizes of a pass from the graph's first attention; none without one.
[[nodiscard]] std::optional<PassSizes> passSizesOf(const ComputationGraph& graph);

/// Choices that decide a strategy's cost and memory besides its graph, its system and the split of every operator.
/// Files of strategies keep them; values that a file lacks are empty.
struct StrategyStep {
  std::optional<std::int64_t> microbatches = {};  ///< GraphCostOptions::microbatches
  std::optional<int> zero = {};
  std::optional<Recomputation> recomputation = {};
  std::optional<Optimizer> optimizer = {};
  std::optional<Bytes> bytesPerElement = {};
  std::optional<PassSizes> sizes = {};
  friend bool operator==(const StrategyStep&, const StrategyStep&) = default;
};
[[nodiscard]] StrategyStep strategyStepOf(const ComputationGraph& graph, const GraphCostOptions& options);

}  // namespace p2::inline strategy
