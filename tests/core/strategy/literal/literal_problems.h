// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/strategy/random_strategies.h"

namespace p2::test {

/// A problem of vertices v0, v1, … with these costs per configuration and no edges.
inline StrategyProblem verticesOf(const std::vector<std::vector<double>>& own) {
  StrategyProblem problem;
  for (std::size_t vertex = 0; vertex < own.size(); ++vertex) {
    ConfigurationDomain domain;
    domain.costs = own[vertex];
    for (std::size_t i = 0; i < domain.costs.size(); ++i) domain.configurations.push_back({std::int64_t(i) + 1});
    problem.vertices.push_back({"v" + std::to_string(vertex), vertex});
    problem.domains.push_back(std::move(domain));
  }
  return problem;
}

inline void connect(StrategyProblem& problem, std::size_t from, std::size_t to, std::vector<double> costs) {
  const std::size_t rows = problem.domainOf(from).costs.size();
  const std::size_t columns = problem.domainOf(to).costs.size();
  problem.edges.push_back({from, to, problem.tables.size()});
  problem.tables.push_back({rows, columns, std::move(costs)});
}

/// v0–v1–v2–v3 of two configurations each, where only v1's first costs anything: 1.
inline StrategyProblem tiedChain() {
  StrategyProblem problem = verticesOf({{0, 0}, {1, 0}, {0, 0}, {0, 0}});
  for (std::size_t vertex = 0; vertex < 3; ++vertex) connect(problem, vertex, vertex + 1, {0, 0, 0, 0});
  return problem;
}

inline StrategyProblem tiedCycle() {
  StrategyProblem problem = tiedChain();
  connect(problem, 0, 3, {0, 0, 0, 0});
  return problem;
}

/// A small graph with many ties, other ones from seed to seed.
inline StrategyProblem smallProblem(std::uint32_t seed, double unit = 1) {
  return randomProblem(seed, {6, 3, 0.4, int(seed % 4), unit});
}

/// Every strategy looked at: the cheapest, of equal ones the lexicographically smallest.
inline Strategy bruteForce(const StrategyProblem& problem) { return allStrategies(problem).front(); }

}  // namespace p2::test
