// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/link_names.h"

#include "system/link_graph.h"
#include "views/system/system_part.h"

namespace p2::views {

std::vector<std::string> linkNames(const System& system, const Place& owner, const Place& member, const Place& next,
                                   const std::vector<Place>& members) {
  using Role = LinkGraph::Role;
  const auto name = [&](Role role, const Place& from, const Place& to) {
    LinkGraph::Link link;
    link.role = role;
    link.from = from;
    link.to = to;
    link.owner = owner;
    return linkName(system, link);
  };
  std::vector<std::string> names;
  switch (interconnectOf(system, {owner.kind, int(owner.index)}).kind) {
    case InterconnectKind::Ring:
      return {name(Role::Next, member, next), name(Role::Previous, next, member)};
    case InterconnectKind::Mesh:
      for (const Place& other : members) {
        if (other == member) continue;
        names.push_back(name(Role::Pair, member, other));
        names.push_back(name(Role::Pair, other, member));
      }
      return names;
    default:
      return {name(Role::Up, member, owner), name(Role::Down, owner, member)};
  }
}

}  // namespace p2::views
