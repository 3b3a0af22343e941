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
  std::size_t index = 0;
  for (const auto& [place, name, link] : interconnects(system)) {
    const std::size_t at = index++;
    const bool joinsNothing = place.kind != Place::Kind::Network && system.levels[place.index].count < 2;
    if (link.kind == InterconnectKind::None || !(link.bandwidth > 0) || joinsNothing) continue;
    triable.push_back({at, link.name.empty() ? name : link.name, bandwidthOf(link, system.calibrated),
                       latencyOf(link, system.calibrated)});
  }
  return triable;
}

}  // namespace p2::views
