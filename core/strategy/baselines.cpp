// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/baselines.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "strategy/detail/exact_solver.h"

namespace p2::inline strategy {
namespace {

struct Description {
  Baseline baseline;
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<Description, 3> kDescriptions{{
    {Baseline::DataParallelism, "data parallelism",
     "Every vertex splits its batch, the first dimension, and nothing else, as far as its configurations allow."},
    {Baseline::ModelParallelism, "model parallelism",
     "No vertex splits its batch, the first dimension; each uses as many devices as its other dimensions allow, and of "
     "these strategies the cheapest counts."},
    {Baseline::Greedy, "greedy by vertex",
     "Every vertex takes the configuration that is cheapest for itself; the costs of edges are ignored."},
}};

const Description& descriptionOf(Baseline baseline) { return kDescriptions[static_cast<std::size_t>(baseline)]; }

std::int64_t batchParts(const Configuration& parts) { return parts.empty() ? 1 : parts.front(); }

double partsInAll(const Configuration& parts) {
  return std::accumulate(parts.begin(), parts.end(), 1.0,
                         [](double product, std::int64_t part) { return product * static_cast<double>(part); });
}

/// The configurations that pass, and of these the ones with the largest measure.
template <class Passes, class Measure>
std::vector<std::size_t> largest(const ConfigurationDomain& domain, Passes passes, Measure measure) {
  std::vector<std::size_t> kept;
  double most = 0;
  for (std::size_t i = 0; i < domain.configurations.size(); ++i) {
    const Configuration& parts = domain.configurations[i];
    if (!passes(parts)) continue;
    const double size = measure(parts);
    if (kept.empty() || size > most) {
      kept.clear();
      most = size;
    }
    if (size == most) kept.push_back(i);
  }
  return kept;
}

/// Indices of the configurations of a domain that a baseline leaves, ascending.
std::vector<std::size_t> allowedIn(const ConfigurationDomain& domain, Baseline baseline) {
  const auto batchOnly = [](const Configuration& parts) {
    return partsInAll(parts) == static_cast<double>(batchParts(parts));
  };
  const auto batchWhole = [](const Configuration& parts) { return batchParts(parts) == 1; };
  switch (baseline) {
    case Baseline::DataParallelism:
      return largest(domain, batchOnly, partsInAll);
    case Baseline::ModelParallelism:
      return largest(domain, batchWhole, partsInAll);
    case Baseline::Greedy:
      break;
  }
  const auto cheapest = std::min_element(domain.costs.begin(), domain.costs.end());
  return {static_cast<std::size_t>(cheapest - domain.costs.begin())};
}

ConfigurationDomain part(const ConfigurationDomain& domain, const std::vector<std::size_t>& kept) {
  ConfigurationDomain result;
  for (const std::size_t i : kept) {
    result.configurations.push_back(domain.configurations[i]);
    result.costs.push_back(domain.costs[i]);
    if (!domain.memory.empty()) result.memory.push_back(domain.memory[i]);
  }
  return result;
}

EdgeCosts part(const EdgeCosts& table, const std::vector<std::size_t>& rows, const std::vector<std::size_t>& columns) {
  EdgeCosts result{rows.size(), columns.size(), {}};
  for (const std::size_t row : rows) {
    for (const std::size_t column : columns) result.costs.push_back(table.at(row, column));
  }
  return result;
}

/// The problem with only the allowed configurations of every domain.
StrategyProblem restricted(const StrategyProblem& problem, const std::vector<std::vector<std::size_t>>& allowed) {
  StrategyProblem result{problem.name, problem.devices, problem.vertices, problem.edges, {}, {}};
  for (std::size_t d = 0; d < problem.domains.size(); ++d) {
    result.domains.push_back(part(problem.domains[d], allowed[d]));
  }
  // Vertices of different domains may share a table; its remaining cells depend on both.
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> tables;
  for (StrategyProblem::Edge& edge : result.edges) {
    const std::size_t from = problem.vertices[edge.from].domain;
    const std::size_t to = problem.vertices[edge.to].domain;
    const auto [place, fresh] = tables.try_emplace({edge.table, from, to}, result.tables.size());
    if (fresh) result.tables.push_back(part(problem.tables[edge.table], allowed[from], allowed[to]));
    edge.table = place->second;
  }
  return result;
}

/// The cheapest strategy of the allowed configurations of every domain.
Result<Strategy> cheapestAmong(const StrategyProblem& problem, const std::vector<std::vector<std::size_t>>& allowed,
                               std::string_view name, std::stop_token stop, const Progress& progress) {
  for (const StrategyProblem::Vertex& vertex : problem.vertices) {
    if (allowed[vertex.domain].empty()) {
      return Error{"no configuration of " + vertex.name + " is pure " + std::string(name) +
                   "; other configurations would have to be allowed"};
    }
  }
  P2_TRY_ASSIGN(auto solution, solveExactly(restricted(problem, allowed), {}, std::move(stop), progress));
  Strategy strategy = std::move(solution.strategies.front());
  for (std::size_t v = 0; v < strategy.choice.size(); ++v) {
    strategy.choice[v] = allowed[problem.vertices[v].domain][strategy.choice[v]];
  }
  strategy.cost = costOf(problem, strategy.choice);
  return strategy;
}

}  // namespace

std::string_view nameOf(Baseline baseline) { return descriptionOf(baseline).name; }
std::string_view meaningOf(Baseline baseline) { return descriptionOf(baseline).meaning; }

Result<Strategy> baselineStrategy(const StrategyProblem& problem, Baseline baseline, std::stop_token stop,
                                  const Progress& progress) {
  std::vector<std::vector<std::size_t>> allowed;
  for (const ConfigurationDomain& domain : problem.domains) allowed.push_back(allowedIn(domain, baseline));
  return cheapestAmong(problem, allowed, nameOf(baseline), std::move(stop), progress);
}

Result<Strategy> expertStrategy(const ComputationGraph& graph, const StrategyProblem& problem, std::stop_token stop,
                                const Progress& progress) {
  std::vector<std::vector<std::size_t>> allowed(problem.domains.size());
  std::vector<bool> known(problem.domains.size(), false);
  for (std::size_t v = 0; v < graph.operators.size(); ++v) {
    const std::size_t domain = problem.vertices[v].domain;
    if (known[domain]) continue;
    known[domain] = true;
    const Operator& op = graph.operators[v];
    const bool moves = op.kind == OperatorKind::Dispatch || op.kind == OperatorKind::Combine;
    const auto experts = moves ? std::nullopt : expertDimension(op);
    if (!experts) {
      allowed[domain] = allowedIn(problem.domains[domain], Baseline::DataParallelism);
      continue;
    }
    const auto passes = [&](const Configuration& parts) {
      return parts[*experts] > 1 &&
             partsInAll(parts) == static_cast<double>(batchParts(parts)) * static_cast<double>(parts[*experts]);
    };
    allowed[domain] = largest(problem.domains[domain], passes, partsInAll);
  }
  return cheapestAmong(problem, allowed, "expert parallelism", std::move(stop), progress);
}

}  // namespace p2::inline strategy
