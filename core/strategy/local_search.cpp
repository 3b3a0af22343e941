// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/detail/local_search.h"

#include <algorithm>

namespace p2::inline strategy {

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

}  // namespace p2::inline strategy
