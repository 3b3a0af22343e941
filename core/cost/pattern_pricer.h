// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <optional>
#include <variant>
#include <vector>

#include "cost/listed_load.h"
#include "cost/uniform_load.h"

namespace p2 {

/// Prices the edges of a state graph for one placement; the same numbers as simulateStep() on the lowered step. Loads
/// are proportional to the working bytes, so each pattern of groups is counted once per flow shape and an edge then
/// costs one multiplication, whatever the number of devices. In closed form if the topology is uniform, else flow by
/// flow.
class PatternPricer {
 public:
  /// Both must outlive the pricer; the hierarchy is of the kind ReductionAxes.
  PatternPricer(const Topology& topology, const SynthesisHierarchy& hierarchy, const CostOptions& options);

  [[nodiscard]] StepCost price(const StateEdge& edge);
  /// Seconds of every edge of the graph, in its order.
  [[nodiscard]] std::vector<double> priceAll(const StateGraph& graph);

 private:
  struct Prices {
    std::variant<UniformLoad, ListedLoad> loads;
    std::array<std::optional<BusiestLink>, 4> whole;  // by shape, every group working on the whole vector
    std::array<std::array<std::optional<double>, 2>, kCollectives.size()> latency;  // by collective; ring, tree
  };
  [[nodiscard]] double shareOf(LevelSet split) const;
  [[nodiscard]] Prices& pricesOf(const GroupPattern& pattern);
  [[nodiscard]] static BusiestLink loadOf(Prices& prices, FlowShape shape, const std::vector<GroupShare>& shares);
  [[nodiscard]] static const BusiestLink& wholeLoad(Prices& prices, FlowShape shape);
  [[nodiscard]] StepCost priceShape(const StateEdge& edge, bool tree);

  const Topology& m_topology;
  const SynthesisHierarchy& m_hierarchy;
  CostOptions m_options;
  std::vector<std::int64_t> m_sizes;
  std::map<GroupPattern, Prices> m_prices;
};

}  // namespace p2
