// SPDX-License-Identifier: GPL-3.0-or-later
#include "explore/detail/overlap_pricer.h"

namespace p2::inline explore {

Overlapped OverlapPricer::price(const std::vector<std::size_t>& edges) {
  std::vector<BusyStepOf> steps;
  for (const std::size_t edge : edges) {
    steps.emplace_back([this, edge](Bytes bytes) {
      const auto known = m_known.find({edge, bytes.value()});
      if (known != m_known.end()) return known->second;
      return m_known.emplace(std::pair(edge, bytes.value()), m_pricer.busyStep(m_graph.edges()[edge], bytes))
          .first->second;
    });
  }
  return overlapped(steps, m_options);
}

}  // namespace p2::inline explore
