// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/flow_bound.h"

#include <algorithm>

#include "base/near.h"
#include "strategy/detail/min_plus.h"
#include "strategy/topological_order.h"

namespace p2::inline strategy {
namespace {

double leastOf(const std::vector<double>& costs) { return *std::min_element(costs.begin(), costs.end()); }

}  // namespace

double flowBound(const StrategyProblem& problem) {
  std::vector<std::vector<double>> reached;  // by vertex and configuration
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) reached.push_back(problem.domainOf(v).costs);
  std::vector<std::vector<std::size_t>> leaving(problem.vertices.size());
  for (std::size_t e = 0; e < problem.edges.size(); ++e) leaving[problem.edges[e].from].push_back(e);
  std::vector<double> least;
  double bound = 0;
  for (const std::size_t vertex : topologicalOrder(problem.vertices.size(), problem.edges)) {
    std::vector<double>& own = reached[vertex];
    if (leaving[vertex].empty()) bound += leastOf(own);
    for (double& each : own) each /= static_cast<double>(std::max<std::size_t>(leaving[vertex].size(), 1));
    for (const std::size_t edge : leaving[vertex]) {
      const EdgeCosts& table = problem.tables[problem.edges[edge].table];
      std::vector<double>& target = reached[problem.edges[edge].to];
      least.assign(target.size(), table.costs.empty() ? leastOf(own) : 0);
      if (!table.costs.empty()) {
        minPlusProduct({own.data(), own.size()}, {table.costs.data(), table.columns}, 1, own.size(), table.columns,
                       least.data());
      }
      for (std::size_t i = 0; i < target.size(); ++i) target[i] += least[i];
    }
  }
  return safeLowerBound(bound);
}

}  // namespace p2::inline strategy
