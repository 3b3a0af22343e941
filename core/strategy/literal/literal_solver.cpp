// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/literal/literal_solver.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include "strategy/literal/literal_recorder.h"

namespace p2::inline strategy {
namespace {

/// The tables of Algorithm 1 and the changes by the loop of lines 16–34, one line at a time.
class LiteralReduction {
 public:
  /// Fills all tables (lines 5–15). `costs` must outlive it. O(rows).
  LiteralReduction(const LiteralCosts& costs, LiteralOptions::Ties ties, std::uint64_t seed);

  [[nodiscard]] const std::vector<LiveTable>& tables() const { return m_tables; }
  [[nodiscard]] std::uint64_t rowsOf(std::size_t vertex) const { return m_tables[vertex].rows.size(); }
  /// Line 18; of several vertices the first.
  [[nodiscard]] LiteralIteration choose() const;
  /// Sets of the partition of line 20.
  [[nodiscard]] std::uint64_t setsOf(std::size_t vertex) const;
  /// Lines 22–26. O(rows · neighbours).
  void keepBest(std::size_t vertex, LiteralRecorder& recorder);
  /// Lines 29–30: the neighbour's rows against the chosen vertex's. O(rows of both).
  void restrict(std::size_t neighbour, std::size_t vertex, LiteralRecorder& recorder);
  /// Lines 31 and 33.
  void setProcessed(std::size_t vertex) { m_processed[vertex] = true; }

 private:
  [[nodiscard]] std::vector<std::int64_t> changingCosts(const LiveTable& table) const;
  [[nodiscard]] std::size_t pickBest(const std::vector<std::int64_t>& costs, std::size_t begin, std::size_t end);
  [[nodiscard]] std::vector<std::size_t> commonOf(std::size_t a, std::size_t b) const;

  const LiteralCosts& m_costs;
  LiteralOptions::Ties m_ties;
  std::mt19937_64 m_random;
  std::vector<LiveTable> m_tables;
  std::vector<bool> m_processed;
};

LiteralReduction::LiteralReduction(const LiteralCosts& costs, LiteralOptions::Ties ties, std::uint64_t seed)
    : m_costs(costs), m_ties(ties), m_random(seed), m_processed(costs.vertexCount(), false) {
  for (std::size_t vertex = 0; vertex < costs.vertexCount(); ++vertex) {
    LiveTable table{tableOf(costs, vertex), {}};
    table.rows.resize(table.shape.rows);
    std::iota(table.rows.begin(), table.rows.end(), std::uint64_t{0});
    m_tables.push_back(std::move(table));
  }
}

LiteralIteration LiteralReduction::choose() const {
  LiteralIteration choice{0, std::vector<std::optional<std::size_t>>(m_tables.size())};
  std::size_t fewest = m_tables.size();
  for (std::size_t vertex = 0; vertex < m_tables.size(); ++vertex) {
    if (m_processed[vertex]) continue;
    const auto& neighbours = m_costs.neighboursOf(vertex);
    const auto unprocessed = static_cast<std::size_t>(
        std::count_if(neighbours.begin(), neighbours.end(), [this](std::size_t u) { return !m_processed[u]; }));
    choice.unprocessed[vertex] = unprocessed;
    if (unprocessed >= fewest) continue;
    fewest = unprocessed;
    choice.vertex = vertex;
  }
  return choice;
}

std::uint64_t LiteralReduction::setsOf(std::size_t vertex) const {
  const LiveTable& table = m_tables[vertex];
  std::uint64_t sets = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (i == 0 || table.shape.setOf(table.rows[i]) != table.shape.setOf(table.rows[i - 1])) ++sets;
  }
  return sets;
}

void LiteralReduction::keepBest(std::size_t vertex, LiteralRecorder& recorder) {
  LiveTable& table = m_tables[vertex];
  const std::vector<std::int64_t> costs = changingCosts(table);
  std::vector<std::uint64_t> kept;
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < table.rows.size(); begin = end) {
    const std::uint64_t set = table.shape.setOf(table.rows[begin]);
    while (end < table.rows.size() && table.shape.setOf(table.rows[end]) == set) ++end;
    const std::size_t best = pickBest(costs, begin, end);
    kept.push_back(table.rows[best]);
    for (std::size_t i = begin; i < end; ++i) {
      if (i == best) continue;
      const auto cause = costs[i] == costs[best] ? RowFate::Cause::Tied : RowFate::Cause::MoreExpensive;
      recorder.remove(vertex, table.rows[i], cause, table.rows[best]);
    }
  }
  table.rows = std::move(kept);
}

void LiteralReduction::restrict(std::size_t neighbour, std::size_t vertex, LiteralRecorder& recorder) {
  LiveTable& table = m_tables[neighbour];
  const LiveTable& chosen = m_tables[vertex];
  const std::vector<std::size_t> common = commonOf(neighbour, vertex);
  const RowProjection code(table.shape, common);
  const RowProjection chosenCode(chosen.shape, common);
  std::vector<bool> present(code.range(), false);
  for (const std::uint64_t row : chosen.rows) present[chosenCode(row)] = true;
  std::erase_if(table.rows, [&](std::uint64_t row) {
    if (present[code(row)]) return false;
    recorder.remove(neighbour, row, RowFate::Cause::Unmatched);
    return true;
  });
}

/// Of each row what depends on the vertex's own configuration; the rest is the same throughout a set.
std::vector<std::int64_t> LiteralReduction::changingCosts(const LiveTable& table) const {
  const LiteralTable& shape = table.shape;
  const std::size_t own = shape.scope.size() - 1;
  std::vector<std::int64_t> costs;
  costs.reserve(table.rows.size());
  for (const std::uint64_t row : table.rows) costs.push_back(m_costs.own(shape.vertex, shape.choice(row, own)));
  for (std::size_t place = 0; place < own; ++place) {
    const std::vector<std::int64_t> between = m_costs.between(shape.vertex, shape.scope[place]);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const std::uint64_t row = table.rows[i];
      costs[i] += between[shape.choice(row, own) * shape.sizes[place] + shape.choice(row, place)];
    }
  }
  return costs;
}

/// Line 23: of equal ones the first, whose configuration is the lowest; or, as printed, any.
std::size_t LiteralReduction::pickBest(const std::vector<std::int64_t>& costs, std::size_t begin, std::size_t end) {
  const auto first = costs.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = costs.begin() + static_cast<std::ptrdiff_t>(end);
  const std::int64_t least = *std::min_element(first, last);
  auto pick = std::find(first, last, least);
  if (m_ties == LiteralOptions::Ties::Arbitrary) {
    const auto tied = static_cast<std::uint64_t>(std::count(first, last, least));
    for (std::uint64_t skipped = m_random() % tied; skipped > 0; --skipped) pick = std::find(pick + 1, last, least);
  }
  return static_cast<std::size_t>(pick - costs.begin());
}

std::vector<std::size_t> LiteralReduction::commonOf(std::size_t a, std::size_t b) const {
  const auto& ofA = m_costs.neighboursOf(a);
  const auto& ofB = m_costs.neighboursOf(b);
  std::vector<std::size_t> common{a, b};
  std::set_intersection(ofA.begin(), ofA.end(), ofB.begin(), ofB.end(), std::back_inserter(common));
  return common;
}

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
