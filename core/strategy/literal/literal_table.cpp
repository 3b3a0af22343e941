// SPDX-License-Identifier: GPL-3.0-or-later
#include "strategy/literal/literal_table.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace p2::inline strategy {

namespace {

std::vector<std::int64_t> whole(const std::vector<double>& costs, double step) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(costs.size());
  for (const double cost : costs) numbers.push_back(std::llround(cost / step));
  return numbers;
}

std::vector<std::int64_t> transposed(const std::vector<std::int64_t>& numbers, std::size_t rows, std::size_t columns) {
  std::vector<std::int64_t> result(numbers.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column)
      result[column * rows + row] = numbers[row * columns + column];
  }
  return result;
}

}  // namespace

LiteralCosts::LiteralCosts(const StrategyProblem& problem) : m_neighbours(problem.vertices.size()) {
  const double step = costStep(problem);
  for (const StrategyProblem::Vertex& vertex : problem.vertices) {
    m_own.push_back(whole(problem.domains[vertex.domain].costs, step));
  }
  for (const StrategyProblem::Edge& edge : problem.edges) {
    const EdgeCosts& table = problem.tables[edge.table];
    std::vector<std::int64_t> costs = whole(table.costs, step);
    if (edge.from > edge.to) costs = transposed(costs, table.rows, table.columns);
    const auto [place, isNew] = m_between.try_emplace(std::minmax(edge.from, edge.to), costs);
    if (isNew) continue;
    std::transform(costs.begin(), costs.end(), place->second.begin(), place->second.begin(), std::plus<>());
  }
  for (const auto& [ends, costs] : m_between) {
    m_neighbours[ends.first].push_back(ends.second);
    m_neighbours[ends.second].push_back(ends.first);
  }
  for (std::vector<std::size_t>& neighbours : m_neighbours) std::sort(neighbours.begin(), neighbours.end());
}

std::vector<std::int64_t> LiteralCosts::between(std::size_t vertex, std::size_t neighbour) const {
  const std::vector<std::int64_t>& costs = m_between.at(std::minmax(vertex, neighbour));
  return vertex < neighbour ? costs : transposed(costs, configurationsOf(neighbour), configurationsOf(vertex));
}

std::int64_t LiteralCosts::costOf(const std::vector<std::size_t>& choice) const {
  std::int64_t cost = 0;
  for (std::size_t vertex = 0; vertex < choice.size(); ++vertex) cost += own(vertex, choice[vertex]);
  for (const auto& [ends, costs] : m_between) {
    cost += costs[choice[ends.first] * configurationsOf(ends.second) + choice[ends.second]];
  }
  return cost;
}

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
