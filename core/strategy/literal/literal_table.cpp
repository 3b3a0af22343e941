// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/literal/literal_table.h"

#include <algorithm>

namespace p2::inline strategy {

LiteralTable tableOf(const LiteralCosts& costs, std::size_t vertex) {
  LiteralTable table;
  table.vertex = vertex;
  table.scope = costs.neighboursOf(vertex);
  table.scope.push_back(vertex);
  for (const std::size_t member : table.scope) table.sizes.push_back(costs.configurationsOf(member));
  table.strides.resize(table.scope.size());
  for (std::size_t place = table.scope.size(); place-- > 0;) {
    table.strides[place] = table.rows;
    table.rows *= table.sizes[place];
  }
  return table;
}

double rowCost(const StrategyProblem& problem, const LiteralTable& table, std::uint64_t row) {
  const auto choiceOf = [&](std::size_t vertex) {
    const auto place = std::find(table.scope.begin(), table.scope.end(), vertex) - table.scope.begin();
    return table.choice(row, static_cast<std::size_t>(place));
  };
  double cost = 0;
  for (std::size_t place = 0; place < table.scope.size(); ++place) {
    cost += problem.domainOf(table.scope[place]).costs[table.choice(row, place)];
  }
  for (const StrategyProblem::Edge& edge : problem.edges) {
    if (edge.from != table.vertex && edge.to != table.vertex) continue;
    cost += problem.tables[edge.table].at(choiceOf(edge.from), choiceOf(edge.to));
  }
  return cost;
}

RowProjection::RowProjection(const LiteralTable& table, const std::vector<std::size_t>& vertices) {
  for (const std::size_t vertex : vertices) {
    const auto place =
        static_cast<std::size_t>(std::find(table.scope.begin(), table.scope.end(), vertex) - table.scope.begin());
    m_digits.push_back({table.strides[place], table.sizes[place]});
    m_range *= table.sizes[place];
  }
}

}  // namespace p2::inline strategy
