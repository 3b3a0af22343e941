// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace p2::inline strategy {

/// Parts per named dimension of an operator's iteration domain: how it is divided among devices.
using Configuration = std::vector<std::int64_t>;

/// Configurations a vertex can choose from, with what each costs: t_V. Several vertices may share one.
struct ConfigurationDomain {
  std::vector<Configuration> configurations;  ///< one or more
  std::vector<double> costs;                  ///< as many; finite, 0 or more
  std::vector<double> memory = {};            ///< bytes on each device, as many; empty if unknown
  friend bool operator==(const ConfigurationDomain&, const ConfigurationDomain&) = default;
};

/// t_E of an edge for every pair of configurations of its ends. Several edges may share one.
struct EdgeCosts {
  std::size_t rows = 0;       ///< configurations of `from`
  std::size_t columns = 0;    ///< configurations of `to`
  std::vector<double> costs;  ///< row by row; finite, 0 or more
  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return costs[row * columns + column]; }
  friend bool operator==(const EdgeCosts&, const EdgeCosts&) = default;
};

/// The search for the best strategy as cost tables: choose one configuration per vertex so that Σ t_V + Σ t_E is least.
struct StrategyProblem {
  struct Vertex {
    std::string name;
    std::size_t domain = 0;  ///< index into domains
    friend bool operator==(const Vertex&, const Vertex&) = default;
  };
  struct Edge {
    std::size_t from = 0;  ///< indices into vertices; never equal
    std::size_t to = 0;
    std::size_t table = 0;  ///< index into tables
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::string name;
  std::int64_t devices = 1;
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;  ///< parallel edges count each
  std::vector<ConfigurationDomain> domains;
  std::vector<EdgeCosts> tables;

  [[nodiscard]] const ConfigurationDomain& domainOf(std::size_t vertex) const {
    return domains[vertices[vertex].domain];
  }
  friend bool operator==(const StrategyProblem&, const StrategyProblem&) = default;
};

/// One configuration per vertex, as indices into their domains, and their total cost.
struct Strategy {
  std::vector<std::size_t> choice;
  double cost = 0;
  friend bool operator==(const Strategy&, const Strategy&) = default;
};

/// Σ t_V + Σ t_E of a choice, summed in the problem's order. O(vertices + edges).
[[nodiscard]] double costOf(const StrategyProblem& problem, const std::vector<std::size_t>& choice);

/// Σ bytes on each device of a choice; 0 for vertices whose memory is unknown. O(vertices).
[[nodiscard]] double memoryOf(const StrategyProblem& problem, const std::vector<std::size_t>& choice);

/// Highest accepted cost of a configuration or an edge, so that sums stay finite.
inline constexpr double kMostCost = 1e290;
/// Whole numbers below this are exact in a double, and so are their sums: 2^53.
inline constexpr double kMostExactWhole = 9007199254740992.0;

/// The step in whose whole multiples costs are compared, so that equal sums compare equal in any order of
/// addition. It is a power of two: the largest up to 1 that represents every cost exactly. If the most expensive
/// strategy would then cost 2^53 steps or more, it is the smallest for which that does not happen, and costs are
/// rounded to the nearest multiple. O(cells of domains and tables).
[[nodiscard]] double costStep(const StrategyProblem& problem);

/// The problem itself when it can be solved: consistent indices and table sizes, one or more configurations each,
/// finite costs of 0 or more, no loops from a vertex to itself, distinct names. Otherwise the mistake, with its place.
[[nodiscard]] Result<StrategyProblem> validated(StrategyProblem problem);

}  // namespace p2::inline strategy
