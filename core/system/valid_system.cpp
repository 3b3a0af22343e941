// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/valid_system.h"

#include <cassert>

#include "system/interconnects.h"
#include "system/part_states.h"

namespace p2::inline system {

Result<ValidSystem> validated(System system) {
  P2_TRY(checkParts(system));
  auto shared = std::make_shared<const System>(withWholeStates(std::move(system)));
  if (shared->isUniform()) return ValidSystem(std::move(shared), nullptr);
  P2_TRY_ASSIGN(auto graph, LinkGraph::build(shared));
  return ValidSystem(std::move(shared), std::move(graph));
}

ValidSystem ValidSystem::withFigures(std::span<const Figures> figures) const {
  System system = *m_system;
  system.calibrated = false;
  const auto placed = interconnects(system);
  assert(figures.size() == placed.size());
  for (std::size_t i = 0; i < placed.size(); ++i) {
    Interconnect& link = placed[i].link;
    link.bandwidth = figures[i].bandwidth;
    link.core = figures[i].core;
    link.latency = figures[i].latency;
    link.ringCap = figures[i].ringCap;
    link.treeCap = figures[i].treeCap;
  }
  auto shared = std::make_shared<const System>(std::move(system));
  if (m_graph == nullptr) return {std::move(shared), nullptr};
  // No link changes its devices, so the checks still hold.
  auto graph = LinkGraph::build(shared);
  assert(graph.ok());
  return {std::move(shared), std::move(graph).value()};
}

}  // namespace p2::inline system
