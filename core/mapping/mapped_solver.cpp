// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapping/mapped_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/near.h"
#include "base/units.h"
#include "strategy/flow_bound.h"

namespace p2::inline mapping {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// What every vertex needs at least, by itself.
double leastSum(const StrategyProblem& problem, const std::vector<double> ConfigurationDomain::*numbers) {
  std::vector<double> least;
  for (const ConfigurationDomain& domain : problem.domains) {
    least.push_back(*std::min_element((domain.*numbers).begin(), (domain.*numbers).end()));
  }
  double sum = 0;
  for (const StrategyProblem::Vertex& vertex : problem.vertices) sum += least[vertex.domain];
  return sum;
}

/// By row the least of a table of edge costs, and by column.
struct EdgeMinima {
  std::vector<double> rows;
  std::vector<double> columns;
};

EdgeMinima minimaOf(const EdgeCosts& table) {
  EdgeMinima minima{std::vector(table.rows, kInfinite), std::vector(table.columns, kInfinite)};
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (std::size_t column = 0; column < table.columns; ++column) {
      const double cost = table.at(row, column);
      minima.rows[row] = std::min(minima.rows[row], cost);
      minima.columns[column] = std::min(minima.columns[column], cost);
    }
  }
  return minima;
}

/// Lower bound of every strategy of a problem: each vertex at its minimum, with half of each of its edges at any other
/// end. Edges count as soon as their table is added.
class StrategyBound {
 public:
  /// O(vertices · configurations).
  explicit StrategyBound(const StrategyProblem& problem) : m_least(leastSum(problem, &ConfigurationDomain::costs)) {
    for (std::size_t v = 0; v < problem.vertices.size(); ++v) {
      m_costs.push_back(problem.domainOf(v).costs);
      m_minima.push_back(*std::min_element(m_costs.back().begin(), m_costs.back().end()));
    }
  }

  /// O(cells of the table + edges + vertices + configurations at the ends of its edges).
  void addTable(const StrategyProblem& problem, std::size_t table) {
    const EdgeMinima minima = minimaOf(problem.tables[table]);
    for (const StrategyProblem::Edge& edge : problem.edges) {
      if (edge.table != table) continue;
      addHalf(edge.from, minima.rows);
      addHalf(edge.to, minima.columns);
    }
    m_least = std::max(m_least, safeLowerBound(std::accumulate(m_minima.begin(), m_minima.end(), 0.0)));
  }

  [[nodiscard]] double seconds() const { return m_least; }

 private:
  void addHalf(std::size_t vertex, const std::vector<double>& edge) {
    std::vector<double>& costs = m_costs[vertex];
    for (std::size_t i = 0; i < edge.size(); ++i) costs[i] += edge[i] / 2;
    m_minima[vertex] = *std::min_element(costs.begin(), costs.end());
  }

  std::vector<std::vector<double>> m_costs;  // per vertex and configuration
  std::vector<double> m_minima;              // per vertex
  double m_least;
};

class MappedSearch {
 public:
  MappedSearch(const MappedGraph& graph, MeshPricer& pricer, const MappedRequest& request, std::stop_token stop)
      : m_graph(graph), m_pricer(pricer), m_request(request), m_stop(std::move(stop)) {}

  Result<void> look(const Mesh& mesh, const Progress& progress) {
    if (mesh.copies != 0 && !m_request.mesh && isTooSlow(mesh)) {
      ++m_meshes;
      return {};
    }
    std::optional<StrategyBound> bound;
    bool canWin = false;
    const auto goesOn = [&](const MappedProblem& mapped, std::size_t tables) {
      canWin = tables == 0 ? begins(mapped.problem, bound) : winsWith(mapped.problem, tables - 1, *bound);
      // The better bound takes longer: after every fourth part of the tables.
      const std::size_t all = mapped.problem.tables.size();
      const std::size_t part = std::max<std::size_t>(all / 4, 1);
      if (canWin && std::isfinite(wantedBelow()) && tables > 0 && (tables == all || tables % part == 0)) {
        canWin = isBelowBest(flowBound(mapped.problem));
      }
      return canWin;
    };
    P2_TRY_ASSIGN(auto mapped, mappedProblem(m_graph, mesh, m_request.limits, m_pricer, m_stop, goesOn));
    ++m_meshes;
    if (!canWin) return {};
    P2_TRY_ASSIGN(const double relaxed, relaxedBoundOf(mapped.problem));
    if (!isBelowBest(relaxed)) return {};
    return solve(std::move(mapped), progress);
  }

  Result<MappedSolution> result() && {
    if (!m_possible) return impossible();
    if (!m_best) return std::isfinite(m_request.solving.wantedBelow) ? aboveCost() : tooSmall();
    m_best->meshes = m_meshes;
    m_best->solved = m_solved;
    const double cost = m_best->bounded.solution.strategies.front().cost;
    m_best->bounded.lowerBound = std::min(m_lowerBound, cost);
    m_best->bounded.optimal = m_lowerBound >= cost;
    return std::move(*m_best);
  }

 private:
  /// Copies leave fewer devices to split over.
  bool isTooSlow(const Mesh& mesh) {
    const std::int64_t devices = mesh.sizeOf(static_cast<MeshAxes>(mesh.all() & ~unsigned{mesh.copies}));
    const auto known = m_leastComputation.find(devices);
    const double least =
        known != m_leastComputation.end() ? known->second : (m_leastComputation[devices] = leastComputation(devices));
    if (least < wantedBelow()) return false;
    m_lowerBound = std::min(m_lowerBound, least);
    return true;
  }

  /// No strategy on that many devices computes for less.
  [[nodiscard]] double leastComputation(std::int64_t devices) const {
    const GraphCostOptions& options = m_graph.options();
    std::map<std::vector<std::int64_t>, double> known;
    double sum = 0;
    for (std::size_t v = 0; v < m_graph.graph().operators.size(); ++v) {
      const Operator& op = m_graph.graph().operators[v];
      const auto [least, fresh] = known.emplace(m_graph.likenessOf(v), 0);
      const auto configurations = fresh && op.kind != OperatorKind::Share
                                      ? configurationsOf(op, spaceOf(options), devices)
                                      : Result<std::vector<Configuration>>(std::vector<Configuration>());
      if (fresh && configurations.ok() && !configurations->empty()) {
        least->second = kInfinite;
        for (const Configuration& each : *configurations) {
          least->second = std::min(least->second, computeSeconds(op, each, options));
        }
      }
      sum += static_cast<double>(options.microbatches) * least->second;
    }
    return safeLowerBound(sum);
  }

  [[nodiscard]] Bytes memory() const { return m_graph.options().deviceMemory.value_or(Bytes(0)); }
  /// Nothing that costs as much is of use.
  [[nodiscard]] double wantedBelow() const {
    return m_best ? std::min(m_request.solving.wantedBelow, m_best->bounded.solution.strategies.front().cost)
                  : m_request.solving.wantedBelow;
  }
  [[nodiscard]] bool isBounded() const { return memory() > Bytes(0); }

  /// Whether a strategy on a mesh may fit and win, when all its domains are priced and none of its tables is.
  bool begins(const StrategyProblem& problem, std::optional<StrategyBound>& bound) {
    m_possible = true;
    if (isBounded()) {
      const double needed = leastSum(problem, &ConfigurationDomain::memory);
      m_leastMemory = std::min(m_leastMemory, needed);
      if (needed > memory().value()) return false;
    }
    return isBelowBest(bound.emplace(problem).seconds());
  }

  /// Whether it still may with another table.
  bool winsWith(const StrategyProblem& problem, std::size_t table, StrategyBound& bound) {
    bound.addTable(problem, table);
    return isBelowBest(bound.seconds());
  }

  /// Whether that lower bound of a mesh lets it win. Else it bounds the answer.
  bool isBelowBest(double bound) {
    if (bound < wantedBelow()) return true;
    m_lowerBound = std::min(m_lowerBound, bound);
    return false;
  }

  /// No strategy of the problem that fits is cheaper; 0 where memory does not matter.
  [[nodiscard]] Result<double> relaxedBoundOf(const StrategyProblem& problem) const {
    if (!m_best || !isBounded() || m_best->bounded.price == 0) return 0.0;
    return relaxedCost(problem, memory(), m_best->bounded.price, m_request.solving, m_stop);
  }

  Result<void> solve(MappedProblem mapped, const Progress& progress) {
    ++m_solved;
    BoundedSolution bounded;
    if (isBounded()) {
      SolveOptions options = m_request.solving;
      options.wantedBelow = wantedBelow();
      P2_TRY_ASSIGN(bounded, solveWithin(mapped.problem, memory(), options, m_stop, progress));
    } else {
      P2_TRY_ASSIGN(bounded, solveAnytime(mapped.problem, m_request.solving, m_stop, progress));
    }
    m_lowerBound = std::min(m_lowerBound, bounded.lowerBound);
    const double cost = bounded.solution.strategies.front().cost;
    if (!m_best || cost < m_best->bounded.solution.strategies.front().cost) {
      m_best = MappedSolution{std::move(mapped), std::move(bounded), 0, 0};
    }
    return {};
  }

  [[nodiscard]] static Error impossible() {
    return {
        "no mesh of the system's devices lets every operator have a configuration; allow configurations that leave "
        "devices repeating work, another space, or other pins"};
  }

  [[nodiscard]] static Error aboveCost() { return {"no strategy is within the requested cost; raise it"}; }

  [[nodiscard]] Error tooSmall() const {
    return Error{"the smallest strategy needs " + formatBytes(Bytes(m_leastMemory)) + " per device, and a device has " +
                     formatBytes(memory()) + "; " + waysToNeedLess(m_graph.options().memory, false),
                 {},
                 ErrorKind::TooLarge}
        .about(kNothingFits);
  }

  const MappedGraph& m_graph;
  MeshPricer& m_pricer;
  const MappedRequest& m_request;
  std::stop_token m_stop;
  std::optional<MappedSolution> m_best;
  double m_lowerBound = kInfinite;
  double m_leastMemory = kInfinite;
  std::map<std::int64_t, double> m_leastComputation;  // by devices that split
  std::size_t m_meshes = 0;
  std::size_t m_solved = 0;
  bool m_possible = false;
};

}  // namespace

Result<MappedSolution> solveMapped(const ComputationGraph& graph, const GraphCostOptions& options, const System& system,
                                   MeshPricer& pricer, const MappedRequest& request, std::stop_token stop,
                                   const Progress& progress) {
  P2_TRY(checkGraphCostOptions(options));
  const MappedGraph mapped(graph, options);
  std::vector<Mesh> meshes = request.mesh ? std::vector{*request.mesh} : meshesOf(system);
  if (!request.mesh && request.copies) {
    std::vector<Mesh> others = meshesWithCopies(system);
    meshes.insert(meshes.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  }
  MappedSearch search(mapped, pricer, request, stop);
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    if (stop.stop_requested()) return cancelledError();
    const auto share = [&](double part) {
      if (progress) progress((static_cast<double>(i) + part) / static_cast<double>(meshes.size()));
    };
    P2_TRY(search.look(meshes[i], share));
    share(1);
  }
  return std::move(search).result();
}

}  // namespace p2::inline mapping
