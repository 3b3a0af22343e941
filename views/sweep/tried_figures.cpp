// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/tried_figures.h"

#include "system/interconnects.h"

namespace p2::views {

System withTried(System system, const TriedLinks& tried) {
  const auto links = interconnects(system);
  for (const auto& [index, figures] : tried) {
    if (index >= links.size()) continue;
    Interconnect& link = links[index].link;
    if (figures.bandwidth) {
      link.bandwidth = *figures.bandwidth;
      link.fittedBandwidth = 0;
    }
    if (figures.latency) {
      link.latency = *figures.latency;
      link.fittedLatency = -1;
    }
  }
  return system;
}

std::vector<TriableLink> triableLinks(const System& system) {
  std::vector<TriableLink> triable;
  const auto all = interconnects(system);
  for (const CarryingLink& each : carryingLinks(system)) {
    const Interconnect& link = all[each.index].link;
    triable.push_back(
        {each.index, each.name, bandwidthOf(link, system.calibrated), latencyOf(link, system.calibrated)});
  }
  return triable;
}

}  // namespace p2::views
