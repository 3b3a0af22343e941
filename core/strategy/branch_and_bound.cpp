// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/branch_and_bound.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <queue>
#include <vector>

#include "strategy/detail/best_strategies.h"
#include "strategy/detail/cost_network.h"
#include "strategy/detail/elimination_tables.h"

namespace p2::inline strategy {
namespace {

/// What choices of a network cost, and how to better them one vertex at a time. Choices are positions in
/// network.values.
class LocalSearch {
 public:
  /// The network must outlive this.
  explicit LocalSearch(const CostNetwork& network);

  /// O(factors).
  [[nodiscard]] double costOf(const std::vector<std::size_t>& choice) const;
  /// Gives vertices their best value in view of their neighbours' until none has a better one, and returns the cost.
  double improve(std::vector<std::size_t>& choice) const;

 private:
  /// An edge as one of its ends sees it.
  struct Side {
    const double* cells = nullptr;
    std::size_t own = 0;    ///< cells from one of its own values to the next
    std::size_t other = 0;  ///< and from one of the other end's
    std::size_t vertex = 0;
  };
  static constexpr std::size_t kMostLooks = 50;  // per vertex

  [[nodiscard]] std::size_t bestValue(std::size_t vertex, const std::vector<std::size_t>& choice) const;

  const CostNetwork& m_network;
  std::vector<std::vector<const double*>> m_own;  ///< tables of each vertex alone
  std::vector<std::vector<Side>> m_sides;
  mutable std::vector<double> m_sums;
};

LocalSearch::LocalSearch(const CostNetwork& network)
    : m_network(network), m_own(network.values.size()), m_sides(network.values.size()) {
  for (const Factor& factor : network.factors) {
    const CostTable& table = network.tables[factor.table];
    if (factor.scope.size() == 1) m_own[factor.scope[0]].push_back(table.cells.data());
    if (factor.scope.size() != 2) continue;
    m_sides[factor.scope[0]].push_back({table.cells.data(), table.sizes[1], 1, factor.scope[1]});
    m_sides[factor.scope[1]].push_back({table.cells.data(), 1, table.sizes[1], factor.scope[0]});
  }
}

double LocalSearch::costOf(const std::vector<std::size_t>& choice) const {
  double cost = 0;
  for (const Factor& factor : m_network.factors) {
    const CostTable& table = m_network.tables[factor.table];
    std::size_t cell = 0;
    for (std::size_t i = 0; i < factor.scope.size(); ++i) cell = cell * table.sizes[i] + choice[factor.scope[i]];
    cost += table.cells[cell];
  }
  return cost;
}

std::size_t LocalSearch::bestValue(std::size_t vertex, const std::vector<std::size_t>& choice) const {
  std::vector<double>& sums = m_sums;
  sums.assign(m_network.sizeOf(vertex), 0);
  for (const double* own : m_own[vertex]) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += own[i];
  }
  for (const Side& side : m_sides[vertex]) {
    const double* cells = side.cells + choice[side.vertex] * side.other;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += cells[i * side.own];
  }
  const auto least = static_cast<std::size_t>(std::min_element(sums.begin(), sums.end()) - sums.begin());
  return sums[least] < sums[choice[vertex]] ? least : choice[vertex];
}

double LocalSearch::improve(std::vector<std::size_t>& choice) const {
  std::vector<std::size_t> waiting;
  for (std::size_t v = choice.size(); v-- > 0;) waiting.push_back(v);
  std::vector<bool> queued(choice.size(), true);
  // Every change makes the choice cheaper, so it ends; whole numbers can take many small steps to do so.
  for (std::size_t looks = 0; !waiting.empty() && looks < kMostLooks * choice.size(); ++looks) {
    const std::size_t vertex = waiting.back();
    waiting.pop_back();
    queued[vertex] = false;
    const std::size_t better = bestValue(vertex, choice);
    if (better == choice[vertex]) continue;
    choice[vertex] = better;
    for (const Side& side : m_sides[vertex]) {
      if (queued[side.vertex]) continue;
      queued[side.vertex] = true;
      waiting.push_back(side.vertex);
    }
  }
  return costOf(choice);
}

constexpr double kNothing = std::numeric_limits<double>::max();

/// Passes over a part of a network, and the cheapest choice that they come across.
class Ascent {
 public:
  Ascent(const CostNetwork& network, SearchEffort& effort, std::stop_token stop)
      : m_local(network), m_effort(effort), m_stop(std::move(stop)) {}

  /// Raises the bound while that is worth it. `least`: by how much a choice must be cheaper to be looked for, 0 to
  /// keep those that cost as much as the best.
  void climb(SoftCosts& costs, Bracket& bracket, double least, int patience) {
    double last = costs.bound();
    for (int passes = 0; !isDone(costs, bracket, least); ++passes) {
      if (passes > 0 && passes % patience == 0) {
        const double gap = bracket.cost - costs.bound();
        if (costs.bound() - last < kWorthwhile * gap) return;
        last = costs.bound();
      }
      sweep(costs, bracket, least);
    }
  }

  /// One pass forth and one back.
  void sweep(SoftCosts& costs, Bracket& bracket, double least) {
    for (const auto direction : {SoftCosts::Direction::Forth, SoftCosts::Direction::Back}) {
      if (!costs.isPossible() || m_stop.stop_requested()) return;
      m_effort.spend(costs.cells());
      costs.pass(direction, bracket.cost - least, m_stop);
      if (costs.isPossible()) take(costs.met(), bracket);
    }
  }

  void take(std::vector<std::size_t> choice, Bracket& bracket) const {
    const double cost = m_local.improve(choice);
    if (cost < bracket.cost) {
      bracket.cost = cost;
      bracket.choice = std::move(choice);
    }
  }

 private:
  static constexpr double kWorthwhile = 0.02;  // share of the gap

  [[nodiscard]] bool isDone(const SoftCosts& costs, const Bracket& bracket, double least) const {
    return !costs.isPossible() || costs.bound() > bracket.cost - std::max(least, 1.0) || m_stop.stop_requested() ||
           m_effort.isSpent();
  }

  LocalSearch m_local;
  SearchEffort& m_effort;
  std::stop_token m_stop;
};

/// A part of the choices, and what none of them is cheaper than.
struct Part {
  double bound = 0;
  std::uint64_t number = 0;  ///< later parts are deeper
  std::vector<std::vector<std::size_t>> kept;
};

struct MoreExpensive {
  bool operator()(const Part& a, const Part& b) const {
    return a.bound != b.bound ? a.bound > b.bound : a.number < b.number;
  }
};

class Search {
 public:
  Search(const CostNetwork& network, Bracket known, SearchEffort& effort, std::stop_token stop)
      : m_network(network),
        m_effort(effort),
        m_stop(std::move(stop)),
        m_root(network, m_stop),
        m_ascent(network, effort, m_stop),
        m_result{std::move(known), 0} {
    for (const Factor& factor : network.factors) {
      if (factor.scope.size() != 2) continue;
      m_joined.push_back({factor.scope[0], factor.scope[1]});
    }
  }

  Result<SearchResult> run(const Progress& progress) {
    Bracket& best = m_result.bracket;
    m_ascent.climb(m_root, best, 1, kRootPatience);
    if (m_root.isPossible()) m_open.push({m_root.bound(), 0, m_root.kept()});
    while (!m_open.empty() && m_open.top().bound <= best.cost - 1 && !m_effort.isSpent()) {
      Part part = m_open.top();
      m_open.pop();
      for (bool deeper = true; deeper && !m_effort.isSpent();) {
        if (progress) progress(m_effort.share());
        P2_TRY_ASSIGN(deeper, divide(part));
        if (m_stop.stop_requested()) return cancelledError();
      }
      if (!part.kept.empty()) m_open.push(std::move(part));
    }
    if (m_stop.stop_requested()) return cancelledError();
    const double open = m_open.empty() ? best.cost : m_open.top().bound;
    best.bound = open > best.cost - 1 ? best.cost : std::max(best.bound, open);
    return m_result;
  }

 private:
  static constexpr int kRootPatience = 10;
  static constexpr int kPartPatience = 3;
  static constexpr double kLeafPasses = 100;
  static constexpr double kFewLeafCells = 1e6;
  static constexpr double kMostLeafBytes = 256e6;

  /// Settles a part, which is then empty, or divides it in two, and becomes the likelier half.
  Result<bool> divide(Part& part) {
    ++m_result.nodes;
    Bracket& best = m_result.bracket;
    SoftCosts costs = m_root;
    costs.restrictTo(part.kept);
    m_ascent.climb(costs, best, 1, kPartPatience);
    if (m_stop.stop_requested()) return false;
    if (!costs.isPossible() || costs.bound() > best.cost - 1) {
      part.kept.clear();
      return false;
    }
    part.bound = std::max(part.bound, costs.bound());
    part.kept = costs.kept();
    if (m_effort.isSpent()) return false;
    P2_TRY_ASSIGN(const bool settled, eliminate(part, costs.cells()));
    if (settled) {
      part.kept.clear();
      return false;
    }
    branch(part, costs);
    return true;
  }

  /// The cheapest choice of a part that is narrow enough.
  Result<bool> eliminate(const Part& part, double passCells) {
    const CostNetwork network = restricted(m_network, part.kept);
    const EliminationPlan plan =
        eliminationPlan(network, eliminationOrder(network, OrderRule::MinWeight, OrderTie::Last, m_stop), m_stop);
    const double most = std::min(std::max(kFewLeafCells, kLeafPasses * passCells), m_effort.left());
    if (!plan.complete || plan.cells > most || plan.bytes > kMostLeafBytes) return false;
    m_effort.spend(plan.cells);
    P2_TRY_ASSIGN(const auto tables, eliminationTables(network.tables, plan, m_stop, {}));
    BestStrategies strategies(network, plan, tables, std::uint64_t(kMostLeafBytes));
    P2_TRY_ASSIGN(const auto positions, strategies.next(m_stop));
    std::vector<std::size_t> choice;
    for (std::size_t v = 0; v < positions->size(); ++v) choice.push_back(part.kept[v][(*positions)[v]]);
    m_ascent.take(std::move(choice), m_result.bracket);
    return true;
  }

  /// The vertex with most values and open neighbours either has the value that the last pass met, or another.
  void branch(Part& part, const SoftCosts& costs) {
    std::vector<double> score(part.kept.size(), 1);
    for (const auto& [first, second] : m_joined) {
      if (part.kept[first].size() > 1 && part.kept[second].size() > 1) {
        score[first] += 1;
        score[second] += 1;
      }
    }
    std::size_t vertex = 0;
    for (std::size_t v = 0; v < score.size(); ++v) {
      score[v] *= std::log(static_cast<double>(part.kept[v].size()));
      if (score[v] > score[vertex]) vertex = v;
    }
    const std::size_t value = costs.met()[vertex];
    Part others{part.bound, m_result.nodes, part.kept};
    std::erase(others.kept[vertex], value);
    part.kept[vertex] = {value};
    m_open.push(std::move(others));
  }

  const CostNetwork& m_network;
  SearchEffort& m_effort;
  std::stop_token m_stop;
  SoftCosts m_root;
  Ascent m_ascent;
  SearchResult m_result;
  std::vector<std::array<std::size_t, 2>> m_joined;
  std::priority_queue<Part, std::vector<Part>, MoreExpensive> m_open;
};

}  // namespace

Tightened tightened(const CostNetwork& network, SearchEffort& effort, const std::stop_token& stop) {
  constexpr int kPatience = 10;
  SoftCosts costs(network, stop);
  Bracket bracket{{}, kNothing, 0};
  Ascent ascent(network, effort, stop);
  ascent.take(std::vector<std::size_t>(network.values.size()), bracket);
  ascent.climb(costs, bracket, 0, kPatience);
  // The cheapest choice may have come last: choices that it excludes are removed.
  ascent.sweep(costs, bracket, 0);
  bracket.bound = costs.bound() > bracket.cost - 1 ? bracket.cost : costs.bound();
  return {std::move(bracket), costs.kept()};
}

Result<SearchResult> branchAndBound(const CostNetwork& network, Bracket known, SearchEffort& effort,
                                    const std::stop_token& stop, const Progress& progress) {
  return Search(network, std::move(known), effort, stop).run(progress);
}

}  // namespace p2::inline strategy
