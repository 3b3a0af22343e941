// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>

#include "cost/pattern_pricer.h"

namespace p2::inline explore {

/// The cheapest program of a state graph, and no other, for repeated questions under changing prices. Equal steps of
/// different states are priced once.
class CheapestProgram {
 public:
  CheapestProgram(std::shared_ptr<const StateGraph> graph, int limit);

  struct Found {
    double seconds = 0;
    std::size_t steps = 0;
  };
  /// The cheapest under the prices of this pricer; none if no program has at most `limit` steps, or after a stop
  /// request. Programs that differ only by rounding are ties: fewer steps win, then the first in instruction order.
  /// O(distinct steps + limit · edges).
  [[nodiscard]] std::optional<Found> find(PatternPricer& pricer, const std::stop_token& stop = {});
  /// The edges of the program that find() found last.
  [[nodiscard]] std::vector<const StateEdge*> edges() const;

 private:
  struct Way {
    double seconds = 0;
    std::size_t steps = 0;  // 0 away from the goal: there is no way
    std::size_t edge = 0;
  };
  void findDepths();
  [[nodiscard]] Way bestFrom(int node, int left) const;
  [[nodiscard]] const Way& way(int node, int left) const {
    return m_ways[static_cast<std::size_t>(left) * static_cast<std::size_t>(m_graph->nodeCount()) +
                  static_cast<std::size_t>(node)];
  }

  std::shared_ptr<const StateGraph> m_graph;
  int m_limit;
  std::vector<const StateEdge*> m_distinct;
  std::vector<std::size_t> m_distinctOf;  // by edge
  std::vector<int> m_depth;               // fewest steps from the start, by node
  std::vector<double> m_seconds;          // by distinct step
  std::vector<Way> m_ways;                // by steps left and node
};

}  // namespace p2::inline explore
