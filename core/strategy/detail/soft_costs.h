// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

#include "strategy/detail/cost_network.h"

namespace p2::inline strategy {

/// A cost network whose costs are moved between its factors until a part of them is due for every choice: the bound.
/// What every edge adds to a value of one of its ends in any case is moved there (a pull); a vertex's remaining cost
/// of each value is shared out to the edges ahead of it, and so on along all vertices, forth and back. That is
/// soft arc consistency done in the order of sequential tree-reweighted message passing (Cooper et al., Artificial
/// Intelligence 2010; Kolmogorov, PAMI 2015): the bound only grows, and the cost of every choice stays. All amounts are
/// whole numbers, as the network's are, so nothing is lost to rounding below 2^53.
///
/// A value that would lift the bound over the cost of a known strategy is in none that is better, and is removed.
class SoftCosts {
 public:
  enum class Direction { Forth, Back };

  /// The network must outlive this. When stopped, its state is incomplete, and no pass is worth anything.
  explicit SoftCosts(const CostNetwork& network, const std::stop_token& stop = {});

  /// Lower bound of the cost of all choices among the values left.
  [[nodiscard]] double bound() const { return m_bound; }
  /// Per vertex the values left, as positions in network.values, ascending; one or more while isPossible().
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& kept() const { return m_kept; }
  /// False once it is known that every choice costs more than was asked for.
  [[nodiscard]] bool isPossible() const { return m_possible; }
  /// Cells that a pass looks at, and the effort for values next to them, in cells.
  [[nodiscard]] double cells() const;

  /// Moves costs along all vertices in one direction, then removes the values that only choices more expensive than
  /// `most` have. Returns early when stopped; all of the above then still holds.
  void pass(Direction direction, double most, const std::stop_token& stop);
  /// The choice that the last whole pass came across, as positions in network.values.
  [[nodiscard]] const std::vector<std::size_t>& met() const { return m_met; }
  /// Leaves a vertex no other values than these, which it still has, ascending.
  void restrictTo(const std::vector<std::vector<std::size_t>>& kept);
  /// Least addition to the bound by choosing a value: Σ of costs moved to it. `index` counts kept().
  [[nodiscard]] double excess(std::size_t vertex, std::size_t index) const { return m_own[vertex][index]; }

 private:
  /// Costs of an edge, stored either way so that rows are contiguous whichever end is asked about.
  struct Pairs {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<double> cells;
    std::vector<double> transposed;
  };
  /// The table minus the costs moved out of it to each value of its ends.
  struct Edge {
    std::size_t first = 0;
    std::size_t second = 0;
    std::shared_ptr<const Pairs> pairs;
    std::vector<double> toFirst;
    std::vector<double> toSecond;
  };

  void addEdges(const CostNetwork& network, const std::stop_token& stop);
  [[nodiscard]] std::size_t otherEnd(const Edge& edge, std::size_t vertex) const {
    return edge.first == vertex ? edge.second : edge.first;
  }
  /// Moves to the vertex the costs that the edge adds to its values in any case.
  void pull(Edge& edge, std::size_t vertex);
  void push(Edge& edge, std::size_t vertex, double share);
  /// The value that is cheapest together with those met before it.
  void meet(std::size_t vertex, const std::vector<std::size_t>& behind);
  void settle(std::size_t vertex, double most, std::vector<std::vector<std::size_t>>& left);
  /// Keeps only the values at these indices of kept().
  void keep(const std::vector<std::vector<std::size_t>>& left, const std::stop_token& stop);

  std::vector<std::vector<std::size_t>> m_kept;
  std::vector<std::vector<double>> m_own;  ///< per vertex and kept value, 0 or more, the least 0 after a pass
  std::vector<Edge> m_edges;
  std::vector<std::vector<std::size_t>> m_before;  ///< per vertex its edges to smaller vertices
  std::vector<std::vector<std::size_t>> m_after;
  std::vector<std::size_t> m_met;       ///< positions in network.values
  std::vector<std::size_t> m_metIndex;  ///< m_met as indices of kept(), during a pass
  std::vector<double> m_row;
  std::vector<double> m_fresh;
  double m_bound = 0;
  bool m_possible = true;
};

}  // namespace p2::inline strategy
