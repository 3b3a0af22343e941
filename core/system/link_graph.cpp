// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/link_graph.h"

namespace p2::inline system {

std::string linkName(const System& system, const LinkGraph::Link& link) {
  using Role = LinkGraph::Role;
  const bool ofLevel = link.owner.kind == Place::Kind::Interconnect;
  std::string from = placeName(system, link.from);
  const std::string on = ofLevel ? "" : " on " + placeName(system, link.owner);
  switch (link.role) {
    case Role::Up:
      return ofLevel ? from + " ↑" : from + " → " + placeName(system, link.to);
    case Role::Down:
      return ofLevel ? placeName(system, link.to) + " ↓" : from + " → " + placeName(system, link.to);
    case Role::Next:
      return from + " → next" + on;
    case Role::Previous:
      return from + " → previous" + on;
    case Role::Pair:
      return from + " → " + placeName(system, link.to) + on;
    case Role::Core:
      break;
  }
  return from;
}

}  // namespace p2::inline system
