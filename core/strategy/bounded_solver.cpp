// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/bounded_solver.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/units.h"

namespace p2 {
namespace {

constexpr int kMostPrices = 60;

/// Costs and bytes of a strategy: the line of its relaxed cost over the price of a byte.
struct Line {
  Strategy strategy;
  double bytes = 0;
  [[nodiscard]] double at(double price, double limit) const { return strategy.cost + price * (bytes - limit); }
};

/// The problem in which every byte has a price.
StrategyProblem priced(StrategyProblem problem, double price) {
  for (ConfigurationDomain& domain : problem.domains) {
    for (std::size_t i = 0; i < domain.memory.size(); ++i) domain.costs[i] += price * domain.memory[i];
  }
  return problem;
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
        m_mostListed(mostListed) {}

  Result<BoundedSolution> run() {
    P2_TRY_ASSIGN(auto cheapest, solveExactly(m_problem, m_options, m_stop));
    m_statistics = cheapest.statistics;
    const Line free = lineOf(cheapest.strategies.front().choice);
    if (free.bytes <= m_limit) return withoutBound(std::move(cheapest));
    P2_TRY_ASSIGN(const auto smallest, smallestLine());
    if (smallest.bytes > m_limit) return tooSmall(smallest.bytes);
    take(smallest);
    P2_TRY(raiseBound(free, smallest));
    P2_TRY(closeGap());
    return result();
  }

 private:
  [[nodiscard]] Line lineOf(const std::vector<std::size_t>& choice) const {
    return {{choice, costOf(m_problem, choice)}, memoryOf(m_problem, choice)};
  }

  BoundedSolution withoutBound(Solution solution) const {
    const double least = solution.strategies.front().cost;
    std::erase_if(solution.strategies,
                  [&](const Strategy& each) { return memoryOf(m_problem, each.choice) > m_limit; });
    return {std::move(solution), least, true, 0};
  }

  [[nodiscard]] Error tooSmall(double least) const {
    return {"a device has " + formatBytes(Bytes(m_limit)) + " and the strategy that needs least takes " +
                formatBytes(Bytes(least)) +
                "; use more devices, a higher stage of ZeRO, recomputation, or a smaller batch",
            {},
            ErrorKind::TooLarge};
  }

  /// A strategy that needs the least memory.
  Result<Line> smallestLine() {
    SolveOptions options = m_options;
    options.best = 1;
    StrategyProblem problem = m_problem;
    for (ConfigurationDomain& domain : problem.domains) {
      domain.costs = domain.memory;
      domain.costs.resize(domain.configurations.size(), 0);
    }
    for (EdgeCosts& table : problem.tables) std::fill(table.costs.begin(), table.costs.end(), 0.0);
    P2_TRY_ASSIGN(const auto solution, solveExactly(problem, options, m_stop));
    return lineOf(solution.strategies.front().choice);
  }

  Result<std::vector<Line>> cheapestAt(double price, std::size_t count) {
    SolveOptions options = m_options;
    options.best = count;
    P2_TRY_ASSIGN(const auto solution, solveExactly(priced(m_problem, price), options, m_stop));
    std::vector<Line> lines;
    for (const Strategy& strategy : solution.strategies) lines.push_back(lineOf(strategy.choice));
    m_exhausted = lines.size() < count;
    return lines;
  }

  void take(const Line& line) {
    if (line.bytes <= m_limit) m_fitting.insert({line.strategy.cost, line.strategy.choice});
  }
  [[nodiscard]] double best() const { return m_fitting.begin()->first; }

  /// Finds the price with the highest bound between a line that does not fit and one that does.
  Result<void> raiseBound(Line above, Line below) {
    for (int i = 0; i < kMostPrices; ++i) {
      if (m_progress) m_progress(kPricesShare * i / kMostPrices);
      // Equal costs: the one that fits is as cheap, and no price is needed.
      const double price = std::max(0.0, (below.strategy.cost - above.strategy.cost) / (above.bytes - below.bytes));
      P2_TRY_ASSIGN(const auto lines, cheapestAt(price, 1));
      const Line& line = lines.front();
      take(line);
      const double value = line.at(price, m_limit);
      if (value > m_bound || i == 0) {
        m_bound = value;
        m_price = price;
      }
      const double met = above.at(price, m_limit);
      if (value >= met - kEqual * std::max(1e-300, std::abs(met))) return {};
      (line.bytes > m_limit ? above : below) = line;
    }
    return {};
  }

  /// Lists strategies by relaxed cost; what is not listed costs at least as much as the last that is.
  Result<void> closeGap() {
    for (std::size_t count = kFirstListed; !isProven() && !m_exhausted; count *= kListedGrowth) {
      count = std::min(count, m_mostListed);
      const auto lines = cheapestAt(m_price, count);
      // Equals without end take more memory than there is: the gap stays.
      if (!lines.ok() && lines.error().kind == ErrorKind::TooLarge) return {};
      P2_TRY(lines);
      for (const Line& line : *lines) take(line);
      m_bound = std::max(m_bound, lines->back().at(m_price, m_limit));
      if (m_progress) {
        m_progress(kPricesShare + (1 - kPricesShare) * static_cast<double>(count) / static_cast<double>(m_mostListed));
      }
      if (count == m_mostListed) break;
    }
    return {};
  }

  [[nodiscard]] bool isProven() const { return m_bound >= best() * (1 - kEqual); }

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

  static constexpr double kPricesShare = 0.5;  // of the progress
  static constexpr double kEqual = 1e-12;      // of costs that are sums in another order
  static constexpr std::size_t kFirstListed = 16;
  static constexpr std::size_t kListedGrowth = 16;

  const StrategyProblem& m_problem;
  double m_limit;
  const SolveOptions& m_options;
  std::stop_token m_stop;
  const Progress& m_progress;
  std::size_t m_mostListed;
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
  P2_TRY_ASSIGN(const auto solution, solveExactly(priced(problem, price), one, std::move(stop)));
  return solution.strategies.front().cost - price * deviceMemory.value();
}

Result<BoundedSolution> solveWithin(const StrategyProblem& problem, Bytes deviceMemory, const SolveOptions& options,
                                    std::stop_token stop, const Progress& progress, std::size_t mostListed) {
  return BoundedSearch(problem, deviceMemory.value(), options, std::move(stop), progress, mostListed).run();
}

}  // namespace p2
