// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/strategy_problem.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "base/counted.h"
#include "base/numbers.h"
#include "strategy/detail/cost_network.h"

namespace p2::inline strategy {
namespace {

std::string pointer(const char* list, std::size_t index) {
  return "/" + std::string(list) + "/" + std::to_string(index);
}

/// The first cost that is not one.
std::optional<std::size_t> wrongCost(const std::vector<double>& costs) {
  const auto wrong =
      std::find_if(costs.begin(), costs.end(), [](double cost) { return !(cost >= 0 && cost <= kMostCost); });
  if (wrong == costs.end()) return std::nullopt;
  return static_cast<std::size_t>(wrong - costs.begin());
}

std::string costSentence(double cost) {
  const std::string shown = std::isnan(cost)   ? "nan"
                            : std::isinf(cost) ? (cost > 0 ? "inf" : "-inf")
                                               : exactNumber(cost);
  return shown + " is not a cost; use 0 to 1e290";
}

Error indexError(std::size_t index, std::size_t count, const std::string& noun, const std::string& where) {
  const std::string most = count == 0 ? "there are none" : "they count from 0 to " + std::to_string(count - 1);
  return {"there is no " + noun + " " + std::to_string(index) + "; " + most, where};
}

Result<void> checkDomain(const ConfigurationDomain& domain, const std::string& where) {
  const std::size_t count = domain.configurations.size();
  if (count == 0) return Error{"a domain without configurations; give one or more", where};
  if (domain.costs.size() != count) {
    return Error{
        countedText(domain.costs.size(), "cost") + " for " + countedText(count, "configuration") + "; give one each",
        where};
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Configuration& parts = domain.configurations[i];
    if (std::any_of(parts.begin(), parts.end(), [](std::int64_t part) { return part < 1; })) {
      return Error{"a configuration divides a dimension into 1 or more parts", where + "/configs/" + std::to_string(i)};
    }
  }
  if (const auto wrong = wrongCost(domain.costs)) {
    return Error{costSentence(domain.costs[*wrong]), where + "/cost/" + std::to_string(*wrong)};
  }
  if (domain.memory.empty()) return {};
  if (domain.memory.size() != count || wrongCost(domain.memory)) {
    return Error{"the memory of " + std::to_string(count) + " configurations is a number of bytes each, 0 or more",
                 where};
  }
  return {};
}

Result<void> checkTable(const EdgeCosts& table, const std::string& where) {
  if (table.rows == 0 || table.columns == 0 || table.costs.size() / table.rows != table.columns ||
      table.costs.size() % table.rows != 0) {
    return Error{std::to_string(table.costs.size()) + " costs do not make " + countedText(table.rows, "row") + " of " +
                     std::to_string(table.columns),
                 where};
  }
  if (const auto wrong = wrongCost(table.costs)) {
    return Error{costSentence(table.costs[*wrong]),
                 where + "/" + std::to_string(*wrong / table.columns) + "/" + std::to_string(*wrong % table.columns)};
  }
  return {};
}

Result<void> checkVertices(const StrategyProblem& problem) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    const StrategyProblem::Vertex& vertex = problem.vertices[v];
    if (vertex.domain >= problem.domains.size()) {
      return indexError(vertex.domain, problem.domains.size(), "domain", pointer("vertices", v));
    }
    if (const auto [first, fresh] = seen.emplace(vertex.name, v); !fresh) {
      return Error{"the name \"" + vertex.name + "\" already names vertex " + std::to_string(first->second) +
                       "; give each its own",
                   pointer("vertices", v)};
    }
  }
  return {};
}

Result<void> checkEdge(const StrategyProblem& problem, const StrategyProblem::Edge& edge, const std::string& where) {
  for (const std::size_t end : {edge.from, edge.to}) {
    if (end >= problem.vertices.size()) return indexError(end, problem.vertices.size(), "vertex", where);
  }
  if (edge.from == edge.to) {
    return Error{"an edge from vertex " + std::to_string(edge.from) + " to itself; put its cost into the domain",
                 where};
  }
  if (edge.table >= problem.tables.size()) return indexError(edge.table, problem.tables.size(), "table", where);
  const EdgeCosts& table = problem.tables[edge.table];
  const std::size_t rows = problem.domainOf(edge.from).costs.size();
  const std::size_t columns = problem.domainOf(edge.to).costs.size();
  if (table.rows == rows && table.columns == columns) return {};
  return Error{"table " + std::to_string(edge.table) + " has " + countedText(table.rows, "row") + " of " +
                   std::to_string(table.columns) + "; vertices " + std::to_string(edge.from) + " and " +
                   std::to_string(edge.to) + " need " + countedText(rows, "row") + " of " + std::to_string(columns),
               where};
}

bool isWhole(double cost) {
  return cost >= kMostExactWhole || static_cast<double>(static_cast<std::int64_t>(cost)) == cost;
}

/// The power of two that is the value of the lowest set bit of a cost above 0.
int lowestBit(double cost) {
  int exponent = 0;
  const double mantissa = std::frexp(cost, &exponent);
  constexpr int kBits = 53;
  const auto whole = static_cast<std::uint64_t>(std::ldexp(mantissa, kBits));
  return exponent - kBits + std::countr_zero(whole);
}

}  // namespace

double costOf(const StrategyProblem& problem, const std::vector<std::size_t>& choice) {
  double cost = 0;
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) cost += problem.domainOf(v).costs[choice[v]];
  for (const StrategyProblem::Edge& edge : problem.edges) {
    cost += problem.tables[edge.table].at(choice[edge.from], choice[edge.to]);
  }
  return cost;
}

double memoryOf(const StrategyProblem& problem, const std::vector<std::size_t>& choice) {
  double bytes = 0;
  for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
    const ConfigurationDomain& domain = problem.domainOf(v);
    if (!domain.memory.empty()) bytes += domain.memory[choice[v]];
  }
  return bytes;
}

double costStep(const StrategyProblem& problem) { return costStep(problem, {}); }

double costStep(const StrategyProblem& problem, const std::stop_token& stop) {
  std::vector<double> most;
  double total = 0;
  int finest = 0;
  const auto take = [&](const std::vector<double>& costs) {
    if (stop.stop_requested()) return most.push_back(0);
    most.push_back(*std::max_element(costs.begin(), costs.end()));
    for (const double cost : costs) {
      if (!isWhole(cost)) finest = std::min(finest, lowestBit(cost));
    }
  };
  for (const ConfigurationDomain& domain : problem.domains) take(domain.costs);
  for (const EdgeCosts& table : problem.tables) take(table.costs);
  for (const StrategyProblem::Vertex& vertex : problem.vertices) total += most[vertex.domain];
  for (const StrategyProblem::Edge& edge : problem.edges) total += most[problem.domains.size() + edge.table];
  if (std::ldexp(total, -finest) < kMostExactWhole) return std::ldexp(1.0, finest);
  int exponent = 0;
  (void)std::frexp(total, &exponent);
  constexpr int kKeptBits = 52;  // one fewer than a double has: room for every cost to be rounded up
  return std::max(std::ldexp(1.0, exponent - kKeptBits), std::numeric_limits<double>::min());
}

Result<StrategyProblem> validated(StrategyProblem problem) {
  for (std::size_t i = 0; i < problem.domains.size(); ++i) {
    P2_TRY(checkDomain(problem.domains[i], pointer("domains", i)));
  }
  for (std::size_t i = 0; i < problem.tables.size(); ++i) {
    P2_TRY(checkTable(problem.tables[i], pointer("tables", i)));
  }
  P2_TRY(checkVertices(problem));
  for (std::size_t i = 0; i < problem.edges.size(); ++i) {
    P2_TRY(checkEdge(problem, problem.edges[i], pointer("edges", i)));
  }
  return problem;
}

}  // namespace p2::inline strategy
