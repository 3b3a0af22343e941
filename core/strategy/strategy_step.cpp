// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/strategy_step.h"

#include <algorithm>

namespace p2::inline strategy {

std::optional<PassSizes> passSizesOf(const ComputationGraph& graph) {
  const auto attention = std::find_if(graph.operators.begin(), graph.operators.end(),
                                      [](const Operator& op) { return op.kind == OperatorKind::Attention; });
  if (attention == graph.operators.end()) return std::nullopt;
  PassSizes sizes;
  for (const Dimension& dimension : attention->dimensions) {
    if (dimension.name == "b") sizes.sequences = dimension.size;
    if (dimension.name == "q") sizes.tokens = dimension.size;
  }
  if (sizes.sequences == 0 || sizes.tokens == 0) return std::nullopt;
  return sizes;
}

StrategyStep strategyStepOf(const ComputationGraph& graph, const GraphCostOptions& options) {
  return {options.microbatches,     options.memory.zero,     options.memory.recomputation,
          options.memory.optimizer, options.bytesPerElement, passSizesOf(graph)};
}

}  // namespace p2::inline strategy
