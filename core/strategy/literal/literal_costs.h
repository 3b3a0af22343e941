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

}  // namespace p2::inline strategy
