// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace p2::inline cost {

/// A directed graph with capacities and the largest flow through it (Dinic 1970). O(vertices² · edges) at worst, far
/// less on networks of machines.
class MaxFlow {
 public:
  static constexpr double kNoBound = std::numeric_limits<double>::infinity();

  explicit MaxFlow(std::size_t vertices) : m_edges(vertices) {}
  void addEdge(std::size_t from, std::size_t to, double capacity);

  /// The largest flow; once per graph. Some cut must have a finite capacity.
  double run(std::size_t source, std::size_t sink);
  /// After run(): the vertices on the source's side of the smallest cut, of several the one nearest to the source.
  [[nodiscard]] std::vector<bool> sourceSide() const;

 private:
  struct Edge {
    std::size_t to;
    std::size_t back;  // among the edges of `to`
    double left;
  };

  bool layer(std::size_t source, std::size_t sink);
  double push(std::size_t from, std::size_t sink, double most);

  std::vector<std::vector<Edge>> m_edges;
  std::vector<int> m_depth;
  std::vector<std::size_t> m_next;
  double m_least = 0;  // remainders of edges up to this are rounding errors
};

}  // namespace p2::inline cost
