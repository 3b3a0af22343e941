// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/literal/literal_solver.h"

#include <algorithm>
#include <cstdio>

#include "strategy/literal/literal_reduction.h"

namespace p2::inline strategy {
namespace {

using Kind = LiteralMoment::Kind;

constexpr double kLoopShare = 0.6;  // share of the progress; then the count, then the join
constexpr double kCountShare = 0.2;
/// Counting goes on to here even where the join could not, for the figure's sake.
constexpr std::uint64_t kMostClasses = 100'000;

/// "5483829", "3.4e45".
std::string roughly(double count) {
  char text[32];
  std::snprintf(text, sizeof text, count < 1e9 ? "%.0f" : "%.1e", count);
  std::string result = text;
  std::erase(result, '+');
  return result;
}

/// `need`: "5483829 rows, over".
Error tooLarge(const StrategyProblem& problem, const std::string& need, std::uint64_t limit) {
  return {(problem.name.empty() ? "this graph" : problem.name) + " needs " + need + " the limit of " +
              std::to_string(limit) + "; use the exact solver",
          {},
          ErrorKind::TooLarge};
}

/// Why the join is not made; empty when it fits.
std::optional<Error> refusal(const StrategyProblem& problem, const JoinCount& count, std::uint64_t limit) {
  if (count.most > static_cast<double>(limit)) {
    return tooLarge(problem, (count.finished ? "" : "more than ") + roughly(count.most) + " strategies, over", limit);
  }
  if (!count.finished) return tooLarge(problem, "more strategies than", limit);
  return std::nullopt;
}

/// One run of Algorithm 1.
class Run {
 public:
  Run(const StrategyProblem& problem, const LiteralOptions& options, std::stop_token stop, const Progress& progress)
      : m_problem(problem),
        m_options(options),
        m_stop(std::move(stop)),
        m_progress(progress),
        m_costs(problem),
        m_reduction(m_costs, options.ties, options.seed),
        m_recorder(problem, m_costs, m_reduction.tables(), options.keepTrace) {}

  Result<LiteralSolution> solve() {
    std::uint64_t rows = 0;
    for (const LiveTable& table : m_reduction.tables()) rows += table.rows.size();
    m_recorder.add(LiteralMoment{Kind::Tables, 0, 0, 0, 0, rows, rows, {}});
    for (std::size_t iteration = 0; iteration < m_costs.vertexCount(); ++iteration) {
      if (m_stop.stop_requested()) return cancelledError();
      turn(iteration);
      report(kLoopShare * shareOf(iteration + 1));
    }
    return join();
  }

 private:
  // Lines 17–33.
  void turn(std::size_t iteration) {
    const LiteralIteration choice = m_reduction.choose();
    const std::size_t vertex = choice.vertex;
    const std::uint64_t rows = m_reduction.rowsOf(vertex);
    m_recorder.add(choice);
    m_recorder.add(LiteralMoment{Kind::Choose, iteration, vertex, 0, 0, rows, rows, {}});
    const std::uint64_t sets = m_reduction.setsOf(vertex);
    m_recorder.add(LiteralMoment{Kind::Partition, iteration, vertex, 0, sets, rows, rows, {}});
    m_reduction.keepBest(vertex, m_recorder);
    m_recorder.add(LiteralMoment{Kind::Best, iteration, vertex, 0, sets, rows, m_reduction.rowsOf(vertex), {}}, vertex);
    for (const std::size_t neighbour : m_costs.neighboursOf(vertex)) {
      const std::uint64_t before = m_reduction.rowsOf(neighbour);
      m_reduction.restrict(neighbour, vertex, m_recorder);
      m_recorder.add(
          LiteralMoment{Kind::Restrict, iteration, vertex, neighbour, 0, before, m_reduction.rowsOf(neighbour), {}},
          neighbour);
    }
    m_reduction.setProcessed(vertex);
  }

  // Line 36, once it is known to fit.
  Result<LiteralSolution> join() {
    const JoinCount count = countJoin(m_reduction.tables(), std::max(m_options.rowLimit, kMostClasses), m_stop);
    if (m_stop.stop_requested()) return cancelledError();
    if (auto refused = refusal(m_problem, count, m_options.rowLimit)) return *refused;
    report(kLoopShare + kCountShare);
    PartialStrategies strategies = emptyStrategy();
    for (std::size_t vertex = 0; vertex < m_costs.vertexCount(); ++vertex) {
      std::optional<PartialStrategies> next = joined(strategies, m_reduction.tables()[vertex], m_stop);
      if (!next) return cancelledError();
      m_recorder.add(*next);
      m_recorder.add(LiteralMoment{Kind::Join, m_costs.vertexCount(), vertex, 0, 0, strategies.rows, next->rows, {}});
      strategies = std::move(*next);
      report(kLoopShare + kCountShare + (1 - kLoopShare - kCountShare) * shareOf(vertex + 1));
    }
    return cheapestOf(strategies, {literalStartRows(m_problem), count.complete, count.most});
  }

  // Line 37; of equal ones the lexicographically smallest.
  LiteralSolution cheapestOf(const PartialStrategies& strategies, const LiteralStatistics& statistics) {
    std::optional<std::size_t> best;
    std::int64_t least = 0;
    std::vector<std::size_t> choice(m_costs.vertexCount());
    std::vector<std::size_t> bestChoice;
    for (std::size_t row = 0; row < strategies.rows; ++row) {
      for (std::size_t vertex = 0; vertex < choice.size(); ++vertex) choice[vertex] = strategies.at(row, vertex);
      const std::int64_t cost = m_costs.costOf(choice);
      if (best && (cost > least || (cost == least && choice > bestChoice))) continue;
      best = row;
      least = cost;
      bestChoice = choice;
    }
    m_recorder.pick(best);
    m_recorder.add(LiteralMoment{Kind::Result, m_costs.vertexCount(), 0, 0, 0, strategies.rows, best ? 1u : 0u, {}});
    LiteralSolution solution{{}, statistics, m_recorder.finished()};
    if (best) solution.strategy = Strategy{bestChoice, costOf(m_problem, bestChoice)};
    return solution;
  }

  [[nodiscard]] double shareOf(std::size_t vertices) const {
    return static_cast<double>(vertices) / static_cast<double>(m_costs.vertexCount());
  }
  void report(double done) const {
    if (m_progress) m_progress(done);
  }

  const StrategyProblem& m_problem;
  const LiteralOptions& m_options;
  std::stop_token m_stop;
  const Progress& m_progress;
  LiteralCosts m_costs;
  LiteralReduction m_reduction;
  LiteralRecorder m_recorder;
};

}  // namespace

double literalStartRows(const StrategyProblem& problem) {
  std::vector<std::vector<std::size_t>> scopes(problem.vertices.size());
  for (const StrategyProblem::Edge& edge : problem.edges) {
    scopes[edge.from].push_back(edge.to);
    scopes[edge.to].push_back(edge.from);
  }
  double total = 0;
  for (std::size_t vertex = 0; vertex < scopes.size(); ++vertex) {
    std::vector<std::size_t>& scope = scopes[vertex];
    scope.push_back(vertex);
    std::sort(scope.begin(), scope.end());
    scope.erase(std::unique(scope.begin(), scope.end()), scope.end());
    double rows = 1;
    for (const std::size_t member : scope) rows *= static_cast<double>(problem.domainOf(member).configurations.size());
    total += rows;
  }
  return total;
}

Result<LiteralSolution> solveLiterally(const StrategyProblem& problem, const LiteralOptions& options,
                                       std::stop_token stop, const Progress& progress) {
  const double rows = literalStartRows(problem);
  if (rows > static_cast<double>(options.rowLimit)) {
    return tooLarge(problem, roughly(rows) + " rows of tables to begin with, over", options.rowLimit);
  }
  return Run(problem, options, std::move(stop), progress).solve();
}

}  // namespace p2::inline strategy
