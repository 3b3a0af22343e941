// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/bounded_solver.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/near.h"
#include "base/units.h"
#include "strategy/step_memory.h"

namespace p2::inline strategy {
namespace {

constexpr int kMostPrices = 60;

/// Costs and bytes of a strategy: the line of its relaxed cost over the price of a byte.
struct Line {
  Strategy strategy;
  double bytes = 0;
  [[nodiscard]] double at(double price, double limit) const { return strategy.cost + price * (bytes - limit); }
};

/// The cheapest at a price, and what none is cheaper than.
struct Relaxed {
  std::vector<Line> lines;
  double bound = 0;  ///< of at()
  bool optimal = false;
};

/// The problem in which every byte has a price. Errors: cancelled.
Result<StrategyProblem> priced(const StrategyProblem& problem, double price, const std::stop_token& stop) {
  StrategyProblem result{problem.name, problem.devices, problem.vertices, problem.edges, problem.domains, {}};
  for (ConfigurationDomain& domain : result.domains) {
    for (std::size_t i = 0; i < domain.memory.size(); ++i) domain.costs[i] += price * domain.memory[i];
  }
  for (const EdgeCosts& table : problem.tables) {
    if (stop.stop_requested()) return cancelledError();
    result.tables.push_back(table);
  }
  return result;
}

class BoundedSearch {
 public:
  BoundedSearch(const StrategyProblem& problem, double limit, const SolveOptions& options, std::stop_token stop,
                const Progress& progress, std::size_t mostListed)
      : m_problem(problem),
        m_limit(limit),
        m_options(options),
        m_stop(std::move(stop)),
        m_progress(progress),
        m_mostListed(mostListed),
        m_edges(problem.vertices.size()) {
    for (std::size_t e = 0; e < problem.edges.size(); ++e) {
      m_edges[problem.edges[e].from].push_back(e);
      m_edges[problem.edges[e].to].push_back(e);
    }
  }

  Result<BoundedSolution> run() {
    P2_TRY_ASSIGN(auto cheapest, solveAnytime(m_problem, m_options, m_stop));
    m_statistics = cheapest.solution.statistics;
    m_bound = cheapest.lowerBound;
    const Line free = lineOf(cheapest.solution.strategies.front().choice);
    if (free.bytes <= m_limit) return withoutBound(std::move(cheapest));
    const Line smallest = smallestLine();
    if (smallest.bytes > m_limit) return tooSmall(smallest.bytes);
    take(smallest);
    P2_TRY(raiseBound(free, smallest));
    P2_TRY(closeGap());
    if (m_stop.stop_requested()) return cancelledError();
    return result();
  }

 private:
  [[nodiscard]] Line lineOf(const std::vector<std::size_t>& choice) const {
    return {{choice, costOf(m_problem, choice)}, memoryOf(m_problem, choice)};
  }

  BoundedSolution withoutBound(BoundedSolution bounded) const {
    std::erase_if(bounded.solution.strategies,
                  [&](const Strategy& each) { return memoryOf(m_problem, each.choice) > m_limit; });
    return bounded;
  }

  [[nodiscard]] Error tooSmall(double least) const {
    return Error{"the smallest strategy needs " + formatBytes(Bytes(least)) + " per device, and a device has " +
                     formatBytes(Bytes(m_limit)) +
                     "; use more devices, a higher stage of ZeRO, recomputation, or a smaller batch",
                 {},
                 ErrorKind::TooLarge}
        .about(kNothingFits);
  }

  /// A strategy that needs the least memory: every vertex by itself, since bytes add up.
  [[nodiscard]] Line smallestLine() const {
    std::vector<std::size_t> choice;
    for (std::size_t v = 0; v < m_problem.vertices.size(); ++v) {
      const ConfigurationDomain& domain = m_problem.domainOf(v);
      const auto pinned = m_options.pinned.empty() ? std::nullopt : m_options.pinned[v];
      const auto needs = [&](std::size_t i) {
        return std::pair(domain.memory.empty() ? 0 : domain.memory[i], domain.costs[i]);
      };
      std::size_t least = pinned.value_or(0);
      for (std::size_t i = 1; i < domain.costs.size() && !pinned; ++i) {
        if (needs(i) < needs(least)) least = i;
      }
      choice.push_back(least);
    }
    return lineOf(choice);
  }

  Result<Relaxed> cheapestAt(double price, std::size_t count) {
    SolveOptions options = m_options;
    options.best = count;
    P2_TRY_ASSIGN(const auto problem, priced(m_problem, price, m_stop));
    P2_TRY_ASSIGN(const auto bounded, solveAnytime(problem, options, m_stop));
    Relaxed relaxed{{}, bounded.lowerBound - price * m_limit, bounded.optimal};
    for (const Strategy& strategy : bounded.solution.strategies) relaxed.lines.push_back(lineOf(strategy.choice));
    const bool all = bounded.optimal && bounded.solution.statistics.method == SolveMethod::Elimination;
    m_exhausted = all && relaxed.lines.size() < count;
    return relaxed;
  }

  void take(const Line& line) {
    if (line.bytes <= m_limit) m_fitting.insert({line.strategy.cost, line.strategy.choice});
  }
  [[nodiscard]] double best() const { return m_fitting.begin()->first; }

  /// Finds the price with the highest bound between a line that does not fit and one that does.
  Result<void> raiseBound(Line above, Line below) {
    for (int i = 0; i < kMostPrices; ++i) {
      if (isUseless()) return {};
      if (m_progress) m_progress(kPricesShare * i / kMostPrices);
      // Equal costs: the one that fits is as cheap, and no price is needed.
      const double price = std::max(0.0, (below.strategy.cost - above.strategy.cost) / (above.bytes - below.bytes));
      P2_TRY_ASSIGN(const auto relaxed, cheapestAt(price, 1));
      const Line& line = relaxed.lines.front();
      take(line);
      if (relaxed.bound > m_bound || i == 0) m_price = price;
      m_bound = std::max(m_bound, relaxed.bound);
      const double met = above.at(price, m_limit);
      if (!definitelyLess(line.at(price, m_limit), met)) break;
      (line.bytes > m_limit ? above : below) = line;
    }
    mix(above.strategy.choice, below.strategy.choice);
    return {};
  }

  /// Tries strategies between two others: the one up to a vertex, from there on the other. Layers repeat, so that
  /// some of them can be as in the one and the others as in the other.
  void mix(const std::vector<std::size_t>& one, const std::vector<std::size_t>& other) {
    for (const auto& [first, last] : {std::pair(&one, &other), std::pair(&other, &one)}) {
      std::vector<std::size_t> choice = *last;
      for (std::size_t v = 0; v < choice.size() && !m_stop.stop_requested(); ++v) {
        if (choice[v] == (*first)[v]) continue;
        choice[v] = (*first)[v];
        take(lineOf(choice));
      }
    }
    Line line = lineOf(m_fitting.begin()->second);
    while (!m_stop.stop_requested() && improve(line)) take(line);
  }

  /// Gives every vertex the configuration that is cheapest in view of the others and fits; false where nothing changes.
  bool improve(Line& line) const {
    const double before = line.strategy.cost;
    for (std::size_t v = 0; v < m_problem.vertices.size(); ++v) {
      if (!m_options.pinned.empty() && m_options.pinned[v]) continue;
      const ConfigurationDomain& domain = m_problem.domainOf(v);
      if (domain.memory.empty()) continue;
      std::vector<std::size_t>& choice = line.strategy.choice;
      const std::vector<double> costs = costsOf(v, choice);
      const double room = m_limit - line.bytes + domain.memory[choice[v]];
      std::size_t best = choice[v];
      for (std::size_t i = 0; i < costs.size(); ++i) {
        if (domain.memory[i] <= room && costs[i] < costs[best]) best = i;
      }
      line.bytes += domain.memory[best] - domain.memory[choice[v]];
      choice[v] = best;
    }
    line = lineOf(line.strategy.choice);
    return definitelyLess(line.strategy.cost, before);
  }

  /// What each configuration of a vertex costs with all of its edges.
  [[nodiscard]] std::vector<double> costsOf(std::size_t vertex, const std::vector<std::size_t>& choice) const {
    std::vector<double> costs = m_problem.domainOf(vertex).costs;
    for (const std::size_t e : m_edges[vertex]) {
      const StrategyProblem::Edge& edge = m_problem.edges[e];
      const EdgeCosts& table = m_problem.tables[edge.table];
      for (std::size_t i = 0; i < costs.size(); ++i) {
        costs[i] += edge.from == vertex ? table.at(i, choice[edge.to]) : table.at(choice[edge.from], i);
      }
    }
    return costs;
  }

  /// Lists strategies by relaxed cost; all others cost at least as much as the last of the list.
  Result<void> closeGap() {
    const std::size_t most =
        std::min(m_mostListed, std::max(kFirstListed, kMostChoices / std::max<std::size_t>(1, m_edges.size())));
    for (std::size_t count = kFirstListed; !isProven() && !m_exhausted && !isUseless() && !isLate();
         count *= kListedGrowth) {
      count = std::min(count, most);
      const auto relaxed = cheapestAt(m_price, count);
      // Equals without end take more memory than there is: the gap stays.
      if (!relaxed.ok() && relaxed.error().kind == ErrorKind::TooLarge) return {};
      P2_TRY(relaxed);
      for (const Line& line : relaxed->lines) take(line);
      if (!relaxed->optimal) return {};
      m_bound = std::max(m_bound, relaxed->lines.back().at(m_price, m_limit));
      if (m_progress) {
        m_progress(kPricesShare + (1 - kPricesShare) * static_cast<double>(count) / static_cast<double>(most));
      }
      if (count == most || relaxed->lines.size() < count) break;
    }
    return {};
  }

  /// Whether nothing that is wanted is left.
  [[nodiscard]] bool isUseless() const { return m_bound >= m_options.wantedBelow; }
  [[nodiscard]] bool isLate() const {
    return m_options.searchUntil && std::chrono::steady_clock::now() >= *m_options.searchUntil;
  }

  [[nodiscard]] bool isProven() const { return !definitelyLess(m_bound, best()); }

  [[nodiscard]] BoundedSolution result() const {
    BoundedSolution bounded{{{}, m_statistics}, std::min(m_bound, best()), isProven() || m_exhausted, m_price};
    if (bounded.optimal) bounded.lowerBound = best();
    for (const auto& [cost, choice] : m_fitting) {
      const bool known = m_exhausted || cost <= m_bound;
      if (bounded.solution.strategies.size() == m_options.best || (!known && !bounded.solution.strategies.empty()))
        break;
      bounded.solution.strategies.push_back({choice, cost});
    }
    return bounded;
  }

  static constexpr double kPricesShare = 0.5;  // share of the progress
  static constexpr std::size_t kFirstListed = 16;
  static constexpr std::size_t kListedGrowth = 16;
  static constexpr std::size_t kMostChoices = 200'000;

  const StrategyProblem& m_problem;
  double m_limit;
  const SolveOptions& m_options;
  std::stop_token m_stop;
  const Progress& m_progress;
  std::size_t m_mostListed;
  std::vector<std::vector<std::size_t>> m_edges;  // by vertex
  SolveStatistics m_statistics;
  std::set<std::pair<double, std::vector<std::size_t>>> m_fitting;  // cheapest first
  double m_bound = 0;
  double m_price = 0;
  bool m_exhausted = false;  // every strategy has been looked at
};

}  // namespace

Result<double> relaxedCost(const StrategyProblem& problem, Bytes deviceMemory, double price,
                           const SolveOptions& options, std::stop_token stop) {
  SolveOptions one = options;
  one.best = 1;
  P2_TRY_ASSIGN(const auto relaxed, priced(problem, price, stop));
  P2_TRY_ASSIGN(const auto bounded, solveAnytime(relaxed, one, std::move(stop)));
  return bounded.lowerBound - price * deviceMemory.value();
}

Result<BoundedSolution> solveWithin(const StrategyProblem& problem, Bytes deviceMemory, const SolveOptions& options,
                                    std::stop_token stop, const Progress& progress, std::size_t mostListed) {
  return BoundedSearch(problem, deviceMemory.value(), options, std::move(stop), progress, mostListed).run();
}

}  // namespace p2::inline strategy
