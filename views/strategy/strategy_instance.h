// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <optional>

#include "strategy_answer/strategy_answer.h"

namespace p2::views {

/// Notes on an instance before its strategies: unpriced parts, suggested sizes, assumptions, warnings of
/// the reader, limits with their remedy; a sentence each.
[[nodiscard]] QStringList warningsOf(const StrategyInstance& instance);
/// "12.4 ms", or "4.06e+10" where costs are not in seconds.
[[nodiscard]] QString costText(const StrategyInstance& instance, double cost);
/// "41.2 GB", or "41.2 GB of 80.0 GB" where there is a bound; empty for cost tables, which do not know.
[[nodiscard]] QString memoryText(const StrategyInstance& instance, const Strategy& strategy);
/// Computation of the graph's source without a cost: "Loop (2 times); NonMaxSuppression"; empty if none.
[[nodiscard]] QString unpricedWords(const StrategyInstance& instance);
/// The parts of the memory: "parameters 1.20 GB, gradients …".
[[nodiscard]] QString memoryParts(const StrategyInstance& instance, const Strategy& strategy);
/// "m÷4 k÷2": the dimensions that a configuration splits, on a mesh with the axes that do, "m÷4 x"; "whole" when it
/// splits none.
[[nodiscard]] QString marksOf(const StrategyInstance& instance, std::size_t vertex, std::size_t configuration);
/// "x 128 · y 8 placed by [[128,1],[1,8]], the best of 48 meshes"; empty for problems without one.
[[nodiscard]] QString meshWords(const StrategyInstance& instance);
/// Places of a vertex's parts: "x cuts b, y cuts n. Device 0 has b 0–15, n 0–511."; empty likewise.
[[nodiscard]] QString placeWords(const StrategyInstance& instance, std::size_t vertex, std::size_t configuration);
/// Unmodelled effects of the prices on a mesh, a sentence each; none for problems without one.
[[nodiscard]] QStringList unmodelledEffectsText(const StrategyInstance& instance);
/// "Collectives are priced by the nccl model (auto), which does not model …."
[[nodiscard]] QString pricedWords(const ExploreOptions& pricing, const System& system);

/// The resharding along edges, for problems on a mesh; empty for others.
class ReshardingText {
 public:
  enum class Length {
    Long,   ///< "AllGather over y, ReduceScatter over y back"
    Short,  ///< "AG y, RS y back"
  };
  explicit ReshardingText(const StrategyInstance& instance);
  /// Empty where nothing moves.
  [[nodiscard]] QString of(std::size_t edge, const Strategy& strategy, Length length) const;

 private:
  const StrategyInstance& m_instance;
  std::optional<MappedGraph> m_graph;
};

/// Number of devices that a configuration uses.
[[nodiscard]] double devicesOf(const Configuration& parts);
/// "Gemm"; empty when the vertex does not say.
[[nodiscard]] QString kindOf(const StrategyInstance& instance, std::size_t vertex);

}  // namespace p2::views
