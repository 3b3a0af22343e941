// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/link_shares.h"

namespace p2::inline system {

LinkShares::LinkShares(const System& system) : m_system(system) {
  for (std::size_t i = 0; i < system.states.size(); ++i) {
    const PartState& state = system.states[i];
    auto part = statePartFrom(system, state.part);
    if (!part.ok() || part->scope == StatePart::Scope::Devices) continue;
    m_states.push_back({std::move(*part), state.share / static_cast<double>(state.jobs), i});
  }
}

bool LinkShares::isWithin(const Place& place, const Place& level) const {
  std::size_t depth = place.index;
  std::int64_t instance = place.instance;
  if (place.kind == Place::Kind::Level) ++depth;
  if (place.kind == Place::Kind::Network) {
    const Network& network = m_system.networks[place.index];
    depth = depthWithin(m_system, network.within);
    instance /= network.instances;
  }
  for (; depth > level.index + 1; --depth) instance /= m_system.levels[depth - 1].count;
  return depth == level.index + 1 && instance == level.instance;
}

bool LinkShares::concerns(const StatePart& part, const LinkGraph::Link& link, std::string& name) const {
  switch (part.scope) {
    case StatePart::Scope::Instance:
      return link.owner == part.place || link.from == part.place || link.to == part.place;
    case StatePart::Scope::Between:
      return link.owner == part.place && (isWithin(link.from, part.at) || isWithin(link.to, part.at));
    case StatePart::Scope::Whole:
      return link.owner.kind == part.place.kind && link.owner.index == part.place.index;
    case StatePart::Scope::Link:
      if (name.empty()) name = linkName(m_system, link);
      return name == part.link;
    case StatePart::Scope::Devices:
      break;
  }
  return false;
}

double LinkShares::of(const LinkGraph::Link& link) {
  double left = 1;
  std::string name;
  for (State& state : m_states) {
    if (!concerns(state.part, link, name)) continue;
    state.met = true;
    left *= state.left;
  }
  return left;
}

int LinkShares::unknown() const {
  for (const State& state : m_states) {
    if (!state.met && state.part.scope == StatePart::Scope::Link) return static_cast<int>(state.index);
  }
  return -1;
}

}  // namespace p2::inline system
