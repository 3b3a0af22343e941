// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <queue>
#include <vector>

namespace p2::inline strategy {

/// The vertices 0 … count − 1 in an order in which each comes behind those that its edges come from, and of those that
/// may come next the lowest. An edge has `from` and `to`. Vertices on a circle of edges or behind one are left out.
/// O(edges + count · log count).
template <class Edge>
[[nodiscard]] std::vector<std::size_t> topologicalOrder(std::size_t count, const std::vector<Edge>& edges) {
  std::vector<std::size_t> waiting(count, 0);  // edges from vertices that are not in the order yet
  std::vector<std::vector<std::size_t>> followers(count);
  for (const Edge& edge : edges) {
    ++waiting[edge.to];
    followers[edge.from].push_back(edge.to);
  }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t vertex = 0; vertex < count; ++vertex) {
    if (waiting[vertex] == 0) ready.push(vertex);
  }
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    const std::size_t vertex = ready.top();
    ready.pop();
    order.push_back(vertex);
    for (const std::size_t follower : followers[vertex]) {
      if (--waiting[follower] == 0) ready.push(follower);
    }
  }
  return order;
}

}  // namespace p2::inline strategy
