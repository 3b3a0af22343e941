// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/explore.
#pragma once

#include <map>

#include "cost/pattern_pricer.h"

namespace p2::inline explore {

/// overlapped() of programs of one placement; steps that several programs have are priced once.
class OverlapPricer {
 public:
  /// All must outlive it.
  OverlapPricer(PatternPricer& pricer, const StateGraph& graph, const CostOptions& options)
      : m_pricer(pricer), m_graph(graph), m_options(options) {}

  /// Price of the program with these edges of the graph.
  [[nodiscard]] Overlapped price(const std::vector<std::size_t>& edges);

 private:
  PatternPricer& m_pricer;
  const StateGraph& m_graph;
  const CostOptions& m_options;
  std::map<std::pair<std::size_t, double>, BusyStep> m_known;  // by edge and bytes
};

}  // namespace p2::inline explore
