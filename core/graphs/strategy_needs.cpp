// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "graphs/hierarchical_prices.h"

namespace p2::inline graphs {
namespace {

std::vector<Axis> namedAxes(const Operator& op, const DeviceAxes& axes, const std::vector<bool>& reduced) {
  std::vector<Axis> named;
  for (std::size_t i = 0; i < axes.sizes.size(); ++i) {
    const bool copies = axes.dimensions[i] == DeviceAxes::kCopies;
    named.push_back({copies ? "copies" : op.dimensions[axes.dimensions[i]].name, axes.sizes[i], reduced[i]});
  }
  return named;
}

/// Collects needs and joins those that differ in nothing but bytes.
class Needs {
 public:
  void add(const std::string& op, StrategyNeed need) {
    const auto same = std::find_if(m_needs.begin(), m_needs.end(),
                                   [&](const StrategyNeed& known) { return known.axes == need.axes; });
    if (same == m_needs.end()) {
      need.operators = {op};
      m_needs.push_back(std::move(need));
      return;
    }
    if (same->operators.back() != op) same->operators.push_back(op);
    same->bytes += need.bytes;
    same->seconds += need.seconds;
    same->times += need.times;
    if (same->largest < need.largest) {
      same->largest = need.largest;
      same->once = need.once;
    }
  }

  [[nodiscard]] std::vector<StrategyNeed> costliestFirst() && {
    std::stable_sort(m_needs.begin(), m_needs.end(),
                     [](const StrategyNeed& a, const StrategyNeed& b) { return a.seconds > b.seconds; });
    return std::move(m_needs);
  }

 private:
  std::vector<StrategyNeed> m_needs;
};

}  // namespace

Result<std::vector<StrategyNeed>> strategyNeeds(const ComputationGraph& graph, const GraphCostOptions& options,
                                                const StrategyProblem& problem, const Strategy& strategy) {
  FlatPricer flat(options.bandwidth);
  Needs needs;
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    const Operator& op = graph.operators[v];
    const Configuration& configuration = problem.domainOf(v).configurations[strategy.choice[v]];
    const DeviceAxes axes = deviceAxesOf(configuration, options.devices);
    std::vector<AllReduceDemand> demands = demandsOf(op, configuration, axes, options);
    for (AllReduceDemand& again : regatheringsOf(op, configuration, axes, options)) demands.push_back(std::move(again));
    for (const AllReduceDemand& demand : demands) {
      StrategyNeed need;
      need.axes = namedAxes(op, axes, demand.axes);
      need.bytes = demand.bytes * demand.times;
      P2_TRY_ASSIGN(need.seconds, flat.seconds(axes.sizes, {demand}));
      need.times = demand.times;
      need.largest = demand.bytes;
      need.once = need.seconds / need.times;
      needs.add(op.name, std::move(need));
    }
  }
  return std::move(needs).costliestFirst();
}

}  // namespace p2::inline graphs
