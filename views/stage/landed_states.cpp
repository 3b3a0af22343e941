// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/landed_states.h"

#include <algorithm>

namespace p2::views {

LandedStates::LandedStates(const Replay& replay, StepId step) : m_replay(&replay), m_step(step) {
  if (!replay.isExplicit() || step.index() >= replay.motions.size()) return;
  // Flights are in the order of their ends.
  for (const Flight& flight : replay.motions[step.index()].flights) {
    if (flight.landed.empty()) continue;
    m_any = true;
    m_landings.resize(std::max(m_landings.size(), flight.to.index() + 1));
    m_landings[flight.to.index()].push_back(&flight);
  }
}

std::size_t LandedStates::landedBy(Device device, double progress) const {
  if (device.index() >= m_landings.size()) return 0;
  const auto& landings = m_landings[device.index()];
  const auto next = std::upper_bound(landings.begin(), landings.end(), progress,
                                     [](double at, const Flight* flight) { return at < flight->end; });
  return std::size_t(next - landings.begin());
}

void LandedStates::land(DeviceState& state, Device device, std::size_t from, std::size_t to) const {
  if (device.index() >= m_landings.size()) return;
  const Choreography& motion = m_replay->motions[m_step.index()];
  const auto& landings = m_landings[device.index()];
  for (std::size_t i = from; i < std::min(to, landings.size()); ++i) {
    for (const Cargo& cargo : landings[i]->landed) {
      addCargo(state, m_replay->trace, m_step, motion.groups[landings[i]->group], cargo);
    }
  }
}

DeviceState LandedStates::stateOf(Device device, std::size_t landed) const {
  DeviceState state = m_replay->stateOf(device, int(m_step.value()));
  land(state, device, 0, landed);
  return state;
}

}  // namespace p2::views
