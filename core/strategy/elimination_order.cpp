// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/elimination_order.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace p2::inline strategy {
namespace {

std::string_view nameOf(OrderRule rule) {
  switch (rule) {
    case OrderRule::MinDegree:
      return "min-degree";
    case OrderRule::MinFill:
      return "min-fill";
    case OrderRule::MinWeight:
      return "min-weight";
  }
  return {};
}

class GreedyOrder {
 public:
  GreedyOrder(const CostNetwork& network, OrderRule rule, OrderTie tie)
      : m_network(network), m_rule(rule), m_tie(tie), m_neighbours(network.values.size()) {
    for (const Factor& factor : network.factors) {
      for (const std::size_t u : factor.scope) {
        for (const std::size_t v : factor.scope) {
          if (u != v) m_neighbours[u].insert(v);
        }
      }
    }
    for (std::size_t v = 0; v < m_neighbours.size(); ++v) {
      m_ranks.push_back(rankOf(v));
      m_queue.insert(m_ranks[v]);
    }
  }

  std::vector<std::size_t> run(const std::stop_token& stop) {
    std::vector<std::size_t> order;
    while (!m_queue.empty() && !stop.stop_requested()) {
      const std::size_t v = std::get<2>(*m_queue.begin());
      const std::size_t vertex = m_tie == OrderTie::First ? v : ~v;
      if (cellsOf(vertex) > kMostCells) break;
      eliminate(vertex);
      order.push_back(vertex);
    }
    return order;
  }

 private:
  /// Score, cells, and the vertex or its complement: the smallest is the next.
  using Rank = std::tuple<double, double, std::size_t>;

  [[nodiscard]] double cellsOf(std::size_t vertex) const {
    auto cells = static_cast<double>(m_network.sizeOf(vertex));
    for (const std::size_t neighbour : m_neighbours[vertex]) {
      cells *= static_cast<double>(m_network.sizeOf(neighbour));
      if (cells > kMostCells) break;
    }
    return cells;
  }

  /// Pairs of neighbours that are not neighbours; for a hub that is not eliminated now, all pairs.
  [[nodiscard]] double fillOf(std::size_t vertex) const {
    constexpr std::size_t kHub = 64;
    const std::set<std::size_t>& around = m_neighbours[vertex];
    const auto degree = static_cast<double>(around.size());
    if (around.size() > kHub) return degree * (degree - 1) / 2;
    std::size_t missing = 0;
    for (auto u = around.begin(); u != around.end(); ++u) {
      for (auto v = std::next(u); v != around.end(); ++v) missing += m_neighbours[*u].contains(*v) ? 0 : 1;
    }
    return static_cast<double>(missing);
  }

  [[nodiscard]] Rank rankOf(std::size_t vertex) const {
    const double cells = cellsOf(vertex);
    const std::size_t tie = m_tie == OrderTie::First ? vertex : ~vertex;
    if (m_rule == OrderRule::MinWeight) return {cells, 0, tie};
    if (m_rule == OrderRule::MinFill) return {fillOf(vertex), cells, tie};
    return {static_cast<double>(m_neighbours[vertex].size()), cells, tie};
  }

  void eliminate(std::size_t vertex) {
    m_queue.erase(m_ranks[vertex]);
    const std::set<std::size_t> around = std::move(m_neighbours[vertex]);
    for (const std::size_t u : around) {
      m_neighbours[u].erase(vertex);
      for (const std::size_t v : around) {
        if (u != v) m_neighbours[u].insert(v);
      }
    }
    for (const std::size_t u : around) {
      m_queue.erase(m_ranks[u]);
      m_ranks[u] = rankOf(u);
      m_queue.insert(m_ranks[u]);
    }
  }

  const CostNetwork& m_network;
  OrderRule m_rule;
  OrderTie m_tie;
  std::vector<std::set<std::size_t>> m_neighbours;
  std::vector<Rank> m_ranks;
  std::set<Rank> m_queue;
};

}  // namespace

EliminationOrder eliminationOrder(const CostNetwork& network, OrderRule rule, OrderTie tie,
                                  const std::stop_token& stop) {
  return {std::string(nameOf(rule)), GreedyOrder(network, rule, tie).run(stop)};
}

}  // namespace p2::inline strategy
