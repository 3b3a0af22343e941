// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "strategy/strategy_problem.h"

namespace p2::inline strategy {

/// A problem as the literal algorithm sees it: neighbours, parallel edges summed, costs as whole
/// multiples of costStep(). Sums of whole numbers do not depend on their order, so equal costs compare equal.
class LiteralCosts {
 public:
  explicit LiteralCosts(const StrategyProblem& problem);

  [[nodiscard]] std::size_t vertexCount() const { return m_own.size(); }
  /// Ascending.
  [[nodiscard]] const std::vector<std::size_t>& neighboursOf(std::size_t vertex) const { return m_neighbours[vertex]; }
  [[nodiscard]] std::size_t configurationsOf(std::size_t vertex) const { return m_own[vertex].size(); }
  [[nodiscard]] std::int64_t own(std::size_t vertex, std::size_t choice) const { return m_own[vertex][choice]; }
  /// t_E between neighbours, over all edges between them: [choice of `vertex`][choice of `neighbour`].
  [[nodiscard]] std::vector<std::int64_t> between(std::size_t vertex, std::size_t neighbour) const;
  /// Cost of a choice, one configuration per vertex. O((V + E) log V).
  [[nodiscard]] std::int64_t costOf(const std::vector<std::size_t>& choice) const;

 private:
  std::vector<std::vector<std::size_t>> m_neighbours;
  std::vector<std::vector<std::int64_t>> m_own;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::int64_t>> m_between;  // by (smaller, larger) vertex
};

/// The shape of v.tbl (Algorithm 1, line 13): one row for every combination of configurations of a vertex and its
/// neighbours. A row is its number, counted with the last of `scope` fastest.
struct LiteralTable {
  std::size_t vertex = 0;
  /// The neighbours, ascending, then the vertex itself: so the rows of one combination of neighbours are adjacent.
  std::vector<std::size_t> scope;
  std::vector<std::size_t> sizes;      ///< configurations of each
  std::vector<std::uint64_t> strides;  ///< between rows that differ by one in that place only
  std::uint64_t rows = 1;

  [[nodiscard]] std::size_t choice(std::uint64_t row, std::size_t place) const {
    return row / strides[place] % sizes[place];
  }
  /// The set of line 20 a row belongs to: the number of its combination of neighbours.
  [[nodiscard]] std::uint64_t setOf(std::uint64_t row) const { return row / sizes.back(); }
};

/// The shape of a vertex's table. O(neighbours).
[[nodiscard]] LiteralTable tableOf(const LiteralCosts& costs, std::size_t vertex);

/// COST(G, s) of a row as the proof uses it (Eq. 1): t_V over the scope and t_E of the edges at the vertex. Edges
/// between its neighbours are the same for all rows that are compared. O(edges).
[[nodiscard]] double rowCost(const StrategyProblem& problem, const LiteralTable& table, std::uint64_t row);

/// The configurations of some of a table's vertices in one number, so that rows agree (Algorithm 2) when it is equal.
class RowProjection {
 public:
  /// `vertices` are in the table's scope; their order makes the number.
  RowProjection(const LiteralTable& table, const std::vector<std::size_t>& vertices);
  [[nodiscard]] std::uint64_t operator()(std::uint64_t row) const {
    std::uint64_t code = 0;
    for (const Digit& digit : m_digits) code = code * digit.size + row / digit.stride % digit.size;
    return code;
  }
  /// Numbers are below this.
  [[nodiscard]] std::uint64_t range() const { return m_range; }

 private:
  struct Digit {
    std::uint64_t stride = 1;
    std::uint64_t size = 1;
  };
  std::vector<Digit> m_digits;
  std::uint64_t m_range = 1;
};

/// Sub-strategies for the same vertices: rows of configurations, one per vertex.
struct PartialStrategies {
  std::vector<std::size_t> vertices;   ///< ascending
  std::vector<std::uint32_t> choices;  ///< row by row
  std::size_t rows = 0;
  [[nodiscard]] std::size_t at(std::size_t row, std::size_t place) const {
    return choices[row * vertices.size() + place];
  }
};

}  // namespace p2::inline strategy
