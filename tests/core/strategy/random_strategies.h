// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "strategy/strategy_problem.h"

namespace p2::test {

struct RandomShape {
  std::size_t mostVertices = 6;
  std::size_t mostConfigurations = 4;
  double density = 0.5;  ///< of edges among pairs
  int mostCost = 3;      ///< small: many ties
  double unit = 1;       ///< what costs are multiples of
};

/// A problem with domains and tables of its own or shared, parallel edges in either direction, several components.
inline StrategyProblem randomProblem(std::uint32_t seed, const RandomShape& shape) {
  std::mt19937 random(seed);
  const auto upTo = [&](std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(random); };
  const auto cost = [&] { return static_cast<double>(upTo(static_cast<std::size_t>(shape.mostCost))) * shape.unit; };
  StrategyProblem problem;
  problem.devices = 4;
  const std::size_t vertices = 1 + upTo(shape.mostVertices - 1);
  for (std::size_t v = 0; v < vertices; ++v) {
    if (problem.domains.empty() || upTo(2) > 0) {
      ConfigurationDomain& domain = problem.domains.emplace_back();
      const std::size_t count = 1 + upTo(shape.mostConfigurations - 1);
      for (std::size_t i = 0; i < count; ++i) {
        domain.configurations.push_back({static_cast<std::int64_t>(i) + 1});
        domain.costs.push_back(cost());
      }
    }
    problem.vertices.push_back({"v" + std::to_string(v), upTo(problem.domains.size() - 1)});
  }
  const auto connect = [&](std::size_t from, std::size_t to) {
    const std::size_t rows = problem.domainOf(from).costs.size();
    const std::size_t columns = problem.domainOf(to).costs.size();
    std::size_t table = problem.tables.size();
    for (std::size_t t = 0; t < problem.tables.size(); ++t) {
      if (problem.tables[t].rows == rows && problem.tables[t].columns == columns && upTo(1) == 0) table = t;
    }
    if (table == problem.tables.size()) {
      EdgeCosts& costs = problem.tables.emplace_back(EdgeCosts{rows, columns, {}});
      for (std::size_t i = 0; i < rows * columns; ++i) costs.costs.push_back(cost());
    }
    problem.edges.push_back({from, to, table});
  };
  for (std::size_t u = 0; u < vertices; ++u) {
    for (std::size_t v = u + 1; v < vertices; ++v) {
      while (std::uniform_real_distribution<double>(0, 1)(random) < shape.density) {
        upTo(1) == 0 ? connect(u, v) : connect(v, u);
        if (upTo(3) > 0) break;
      }
    }
  }
  return problem;
}

/// Every strategy that keeps to the pins, cheapest first, among equals the lexicographically smallest first.
inline std::vector<Strategy> allStrategies(const StrategyProblem& problem,
                                           const std::vector<std::optional<std::size_t>>& pinned = {}) {
  std::vector<Strategy> all;
  std::vector<std::size_t> choice(problem.vertices.size());
  for (bool more = true; more;) {
    bool allowed = true;
    for (std::size_t v = 0; v < pinned.size(); ++v) allowed = allowed && (!pinned[v] || *pinned[v] == choice[v]);
    if (allowed) all.push_back({choice, costOf(problem, choice)});
    more = false;
    for (std::size_t v = choice.size(); v-- > 0 && !more;) {
      more = ++choice[v] < problem.domainOf(v).costs.size();
      if (!more) choice[v] = 0;
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Strategy& a, const Strategy& b) { return a.cost < b.cost; });
  return all;
}

}  // namespace p2::test
