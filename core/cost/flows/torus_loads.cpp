// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/torus_loads.h"

namespace p2::inline cost {

void TorusLoads::add(Device from, Device to, double bytes) {
  std::vector<std::int32_t>& changes = m_changes[bytes];
  if (changes.empty()) changes.resize(m_torus.slotCount());
  m_torus.eachRun(from, to, [&](const TorusRoutes::Run& run) {
    const auto at = [&](std::int32_t place) -> std::int32_t& {
      return changes[run.ring + static_cast<std::size_t>(place)];
    };
    const std::int32_t end = run.first + run.count;
    ++at(run.first);
    if (end < run.size) --at(end);
    if (end <= run.size) return;
    ++at(0);
    --at(end - run.size);
  });
}

void TorusLoads::addTo(LinkLoads& loads) const {
  const std::vector<TorusRoutes::Ring> rings = m_torus.rings();
  std::vector<double> sums(m_torus.slotCount());  // by link
  for (const auto& [bytes, changes] : m_changes) {
    for (const TorusRoutes::Ring& ring : rings) {
      std::int32_t flows = 0;
      for (std::size_t slot = ring.begin; slot < ring.end; ++slot) {
        flows += changes[slot];
        sums[m_torus.linkAt(slot).index()] += bytes * flows;
      }
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] > 0) loads.add(LinkId(static_cast<std::int64_t>(i)), sums[i]);
  }
}

}  // namespace p2::inline cost
