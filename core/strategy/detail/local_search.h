// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <cstddef>
#include <vector>

#include "strategy/detail/cost_network.h"

namespace p2::inline strategy {

/// What choices of a network cost, and how to better them one vertex at a time. Choices are positions in
/// network.values.
class LocalSearch {
 public:
  /// The network must outlive this.
  explicit LocalSearch(const CostNetwork& network);

  /// O(factors).
  [[nodiscard]] double costOf(const std::vector<std::size_t>& choice) const;
  /// Gives vertices their best value in view of their neighbours' until none has a better one, and returns the cost.
  double improve(std::vector<std::size_t>& choice) const;

 private:
  /// An edge as one of its ends sees it.
  struct Side {
    const double* cells = nullptr;
    std::size_t own = 0;    ///< cells from one of its own values to the next
    std::size_t other = 0;  ///< and from one of the other end's
    std::size_t vertex = 0;
  };
  static constexpr std::size_t kMostLooks = 50;  // per vertex

  [[nodiscard]] std::size_t bestValue(std::size_t vertex, const std::vector<std::size_t>& choice) const;

  const CostNetwork& m_network;
  std::vector<std::vector<const double*>> m_own;  ///< tables of each vertex alone
  std::vector<std::vector<Side>> m_sides;
  mutable std::vector<double> m_sums;
};

}  // namespace p2::inline strategy
