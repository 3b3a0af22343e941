// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/soft_costs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "strategy/detail/min_plus.h"

namespace p2::inline strategy {
namespace {

std::vector<double> turned(const std::vector<double>& cells, std::size_t rows, std::size_t columns) {
  std::vector<double> result(cells.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) result[c * rows + r] = cells[r * columns + c];
  }
  return result;
}

template <class T>
std::vector<T> at(const std::vector<T>& list, const std::vector<std::size_t>& indices) {
  std::vector<T> result;
  result.reserve(indices.size());
  for (const std::size_t i : indices) result.push_back(list[i]);
  return result;
}

}  // namespace

SoftCosts::SoftCosts(const CostNetwork& network, const std::stop_token& stop)
    : m_before(network.values.size()),
      m_after(network.values.size()),
      m_met(network.values.size()),
      m_metIndex(network.values.size()) {
  for (std::size_t v = 0; v < network.values.size(); ++v) {
    m_own.emplace_back(network.sizeOf(v), 0.0);
    m_kept.emplace_back(network.sizeOf(v));
    std::iota(m_kept.back().begin(), m_kept.back().end(), std::size_t{0});
  }
  for (const Factor& factor : network.factors) {
    const std::vector<double>& cells = network.tables[factor.table].cells;
    if (factor.scope.empty()) m_bound += cells[0];
    if (factor.scope.size() != 1) continue;
    std::vector<double>& own = m_own[factor.scope[0]];
    for (std::size_t i = 0; i < own.size(); ++i) own[i] += cells[i];
  }
  addEdges(network, stop);
}

void SoftCosts::addEdges(const CostNetwork& network, const std::stop_token& stop) {
  std::map<std::size_t, std::shared_ptr<const Pairs>> known;
  for (const Factor& factor : network.factors) {
    if (stop.stop_requested()) return;
    if (factor.scope.size() != 2) continue;
    std::shared_ptr<const Pairs>& pairs = known[factor.table];
    if (!pairs) {
      const CostTable& table = network.tables[factor.table];
      pairs = std::make_shared<const Pairs>(
          Pairs{table.sizes[0], table.sizes[1], table.cells, turned(table.cells, table.sizes[0], table.sizes[1])});
    }
    const std::size_t first = factor.scope[0];
    const std::size_t second = factor.scope[1];
    m_after[std::min(first, second)].push_back(m_edges.size());
    m_before[std::max(first, second)].push_back(m_edges.size());
    m_edges.push_back({first, second, pairs, std::vector<double>(pairs->rows), std::vector<double>(pairs->columns)});
  }
}

double SoftCosts::cells() const {
  constexpr std::size_t kAround = 16;  // as many cells as it takes to look at a value of an edge's end
  double sum = 0;
  for (const Edge& edge : m_edges) {
    sum += static_cast<double>(edge.pairs->cells.size() + kAround * (edge.toFirst.size() + edge.toSecond.size()));
  }
  return sum;
}

void SoftCosts::pull(Edge& edge, std::size_t vertex) {
  const bool toFirst = edge.first == vertex;
  const Pairs& pairs = *edge.pairs;
  const std::vector<double>& from = toFirst ? edge.toSecond : edge.toFirst;
  std::vector<double>& to = toFirst ? edge.toFirst : edge.toSecond;
  m_row.resize(from.size());
  m_fresh.resize(to.size());
  for (std::size_t i = 0; i < from.size(); ++i) m_row[i] = -from[i];
  minPlusProduct({m_row.data(), m_row.size()}, {toFirst ? pairs.transposed.data() : pairs.cells.data(), to.size()}, 1,
                 from.size(), to.size(), m_fresh.data());
  std::vector<double>& own = m_own[vertex];
  for (std::size_t i = 0; i < to.size(); ++i) {
    own[i] += m_fresh[i] - to[i];
    to[i] = m_fresh[i];
  }
}

void SoftCosts::push(Edge& edge, std::size_t vertex, double share) {
  std::vector<double>& to = edge.first == vertex ? edge.toFirst : edge.toSecond;
  const std::vector<double>& own = m_own[vertex];
  for (std::size_t i = 0; i < to.size(); ++i) to[i] -= std::floor(own[i] * share);
}

void SoftCosts::meet(std::size_t vertex, const std::vector<std::size_t>& behind) {
  std::vector<double> costs = m_own[vertex];
  for (const std::size_t e : behind) {
    const Edge& edge = m_edges[e];
    const bool first = edge.first == vertex;
    const std::size_t other = m_metIndex[otherEnd(edge, vertex)];
    const std::vector<double>& out = first ? edge.toFirst : edge.toSecond;
    const double* row = (first ? edge.pairs->transposed : edge.pairs->cells).data() + other * costs.size();
    for (std::size_t i = 0; i < costs.size(); ++i) costs[i] += row[i] - out[i];
  }
  m_metIndex[vertex] = static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
}

void SoftCosts::settle(std::size_t vertex, double most, std::vector<std::vector<std::size_t>>& left) {
  std::vector<double>& own = m_own[vertex];
  const double least = *std::min_element(own.begin(), own.end());
  m_bound += least;
  for (std::size_t i = 0; i < own.size(); ++i) {
    own[i] -= least;
    if (m_bound + own[i] <= most) left[vertex].push_back(i);
  }
}

void SoftCosts::pass(Direction direction, double most, const std::stop_token& stop) {
  const std::size_t count = m_own.size();
  std::vector<std::vector<std::size_t>> left(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (stop.stop_requested()) return;
    const std::size_t v = direction == Direction::Forth ? i : count - 1 - i;
    const std::vector<std::size_t>& behind = direction == Direction::Forth ? m_before[v] : m_after[v];
    const std::vector<std::size_t>& ahead = direction == Direction::Forth ? m_after[v] : m_before[v];
    meet(v, behind);
    for (const std::size_t e : behind) pull(m_edges[e], v);
    settle(v, most, left);
    const std::size_t shares = std::max(ahead.size(), behind.size());
    if (ahead.empty()) continue;
    for (const std::size_t e : ahead) push(m_edges[e], v, 1.0 / static_cast<double>(shares));
    for (double& own : m_own[v]) {
      own -= static_cast<double>(ahead.size()) * std::floor(own * (1.0 / static_cast<double>(shares)));
    }
  }
  for (std::size_t v = 0; v < count; ++v) m_met[v] = m_kept[v][m_metIndex[v]];
  keep(left, stop);
}

void SoftCosts::restrictTo(const std::vector<std::vector<std::size_t>>& kept) {
  std::vector<std::vector<std::size_t>> left(kept.size());
  for (std::size_t v = 0; v < kept.size(); ++v) {
    for (const std::size_t position : kept[v]) {
      const auto found = std::lower_bound(m_kept[v].begin(), m_kept[v].end(), position);
      left[v].push_back(static_cast<std::size_t>(found - m_kept[v].begin()));
    }
  }
  keep(left, {});
}

void SoftCosts::keep(const std::vector<std::vector<std::size_t>>& left, const std::stop_token& stop) {
  m_possible = m_possible && std::none_of(left.begin(), left.end(), [](const auto& list) { return list.empty(); });
  if (!m_possible) return;
  std::map<std::vector<std::size_t>, std::size_t> lists;
  std::vector<std::size_t> listOf;
  std::vector<bool> same;
  for (std::size_t v = 0; v < left.size(); ++v) {
    same.push_back(left[v].size() == m_kept[v].size());
    listOf.push_back(same[v] ? 0 : lists.try_emplace(left[v], lists.size() + 1).first->second);
  }
  std::map<std::tuple<const Pairs*, std::size_t, std::size_t>, std::shared_ptr<const Pairs>> known;
  for (Edge& edge : m_edges) {
    if (stop.stop_requested()) return;
    if (same[edge.first] && same[edge.second]) continue;
    const std::vector<std::size_t>& rows = left[edge.first];
    const std::vector<std::size_t>& columns = left[edge.second];
    auto& smaller = known[{edge.pairs.get(), listOf[edge.first], listOf[edge.second]}];
    if (!smaller) {
      Pairs pairs{rows.size(), columns.size(), {}, {}};
      for (const std::size_t r : rows) {
        for (const std::size_t c : columns) pairs.cells.push_back(edge.pairs->cells[r * edge.pairs->columns + c]);
      }
      pairs.transposed = turned(pairs.cells, pairs.rows, pairs.columns);
      smaller = std::make_shared<const Pairs>(std::move(pairs));
    }
    edge.pairs = smaller;
    edge.toFirst = at(edge.toFirst, rows);
    edge.toSecond = at(edge.toSecond, columns);
  }
  for (std::size_t v = 0; v < left.size(); ++v) {
    if (same[v]) continue;
    m_own[v] = at(m_own[v], left[v]);
    m_kept[v] = at(m_kept[v], left[v]);
  }
}

}  // namespace p2::inline strategy
