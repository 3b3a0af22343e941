// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/system/system_edits.h"

#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <set>

#include "views/common/text.h"
#include "workspace/workspace.h"

namespace p2::views {
namespace {

using Kind = SystemPart::Kind;

constexpr std::array<const char*, 4> kLevelNames{"gpu", "node", "rack", "pod"};  // from the inside out

bool isTaken(const System& system, const std::string& name) { return partNamed(system, name).index >= 0; }

/// "switch", "switch2", "switch3" …: the first that is free.
std::string freeName(const System& system, const std::string& stem) {
  std::string name = stem;
  for (int number = 2; isTaken(system, name); ++number) name = stem + std::to_string(number);
  return name;
}

/// The level that a part stands in, −1 for the system itself.
int standsIn(const System& system, const SystemPart& part) {
  if (part.kind != Kind::Network) return part.index - 1;
  return levelIndex(system, system.networks[std::size_t(part.index)].within);
}

/// Empty for the system itself, and for parts that a system without levels, or its innermost level, lacks.
std::string nameOfLevel(const System& system, int level) {
  return level < 0 || level >= int(system.levels.size()) ? std::string() : system.levels[std::size_t(level)].name;
}

Interconnect freshInterconnect(const System& system, InterconnectKind kind, int within) {
  const bool innermost = within + 2 >= int(system.levels.size());
  Interconnect link = defaultInterconnect(nameOfLevel(system, within + 1), innermost);
  link.kind = kind;
  return link;
}

System withNetwork(System system, InterconnectKind kind, int within, const std::vector<SystemPart>& members) {
  Network network;
  network.interconnect = freshInterconnect(system, kind, within);
  network.interconnect.name = freeName(system, std::string(nameOf(kind)));
  network.within = nameOfLevel(system, within);
  for (const SystemPart& part : members) network.members.push_back({partName(system, part).toStdString()});
  system.networks.push_back(std::move(network));
  return system;
}

/// Joins the children of one level, by their own interconnect if they have none yet.
System withChildrenJoined(System system, InterconnectKind kind, int level) {
  const int children = std::min(level + 1, int(system.levels.size()) - 1);
  if (children < 0) return withNetwork(std::move(system), kind, -1, {});
  Interconnect& link = system.levels[std::size_t(children)].interconnect;
  if (link.kind != InterconnectKind::None) {
    return withNetwork(std::move(system), kind, children - 1, {{Kind::Level, children}});
  }
  link = freshInterconnect(system, kind, children - 1);
  if (kind != InterconnectKind::Switch) link.name.clear();
  return system;
}

/// Whether a network is made of another, at any remove.
bool isMadeOf(const System& system, int network, int other, std::set<int>& seen) {
  if (network == other) return true;
  if (!seen.insert(network).second) return false;
  const auto& members = system.networks[std::size_t(network)].members;
  return std::any_of(members.begin(), members.end(), [&](const Member& member) {
    const SystemPart part = partNamed(system, member.of);
    return part.kind == Kind::Network && isMadeOf(system, part.index, other, seen);
  });
}

void dropMember(System& system, const std::string& name) {
  for (Network& network : system.networks) {
    std::erase_if(network.members, [&](const Member& member) { return member.of == name; });
  }
}

void removeNetwork(System& system, const std::string& name) {
  std::erase_if(system.networks, [&](const Network& network) { return network.interconnect.name == name; });
  dropMember(system, name);
}

void removeLevel(System& system, const std::string& name) {
  const int level = levelIndex(system, name);
  if (level < 0) return;
  for (Network& network : system.networks) {
    if (network.within == name) network.within = nameOfLevel(system, level - 1);
  }
  system.levels.erase(system.levels.begin() + level);
  dropMember(system, name);
}

/// Nodes are a level above the devices, the whole system, or none.
void dropLostNode(System& system) {
  if (system.node == kRootName) return;
  const int node = levelIndex(system, system.node);
  if (node < 0 || node + 1 >= int(system.levels.size())) system.node.clear();
}

}  // namespace

System withLevel(System system, const std::optional<SystemPart>& inside) {
  int at = 0;
  if (inside) at = (inside->kind == Kind::Network ? standsIn(system, *inside) : inside->index) + 1;
  Level level;
  const auto spare = std::find_if(kLevelNames.begin(), kLevelNames.end(),
                                  [&](const char* name) { return at == 0 && !isTaken(system, name); });
  level.name = spare != kLevelNames.end() ? *spare : freeName(system, "level" + std::to_string(at + 1));
  level.interconnect = defaultInterconnect(level.name, at == int(system.levels.size()));
  level.interconnect.kind = InterconnectKind::None;
  level.interconnect.name.clear();
  system.levels.insert(system.levels.begin() + at, std::move(level));
  return system;
}

System withInterconnect(System system, InterconnectKind kind, const std::vector<SystemPart>& joining) {
  if (joining.empty()) return withChildrenJoined(std::move(system), kind, -1);
  const SystemPart& first = joining.front();
  if (joining.size() == 1 && first.kind != Kind::Network) {
    return withChildrenJoined(std::move(system), kind, first.kind == Kind::Level ? first.index : first.index - 1);
  }
  int within = standsIn(system, first);
  std::vector<SystemPart> members;
  for (const SystemPart& part : joining) {
    const SystemPart whole{part.kind == Kind::Network ? Kind::Network : Kind::Level, part.index};
    if (std::find(members.begin(), members.end(), whole) != members.end()) continue;
    members.push_back(whole);
    within = std::min(within, standsIn(system, whole));
  }
  if (members.size() == 1 && members.front().kind == Kind::Level) {
    return withChildrenJoined(std::move(system), kind, members.front().index - 1);
  }
  return withNetwork(std::move(system), kind, within, members);
}

Result<System> withMember(System system, int network, const SystemPart& member) {
  // A menu that stays open while the document changes still offers its former parts.
  if (!isPartOf(system, {Kind::Network, network}) || !isPartOf(system, member)) {
    return Error{"the system has changed and no longer has this part; open the menu again"};
  }
  const SystemPart whole{member.kind == Kind::Network ? Kind::Network : Kind::Level, member.index};
  const std::string name = partName(system, whole).toStdString();
  Network& own = system.networks[std::size_t(network)];
  std::set<int> seen;
  if (whole.kind == Kind::Network && isMadeOf(system, whole.index, network, seen)) {
    return Error{name + " is made of " + own.interconnect.name +
                 " already, so it cannot be a member of it; connect it "
                 "the other way round, or take that member out first"};
  }
  const bool there =
      std::any_of(own.members.begin(), own.members.end(), [&](const Member& old) { return old.of == name; });
  if (there) return Error{name + " is a member of " + own.interconnect.name + " already"};
  const int outermost = std::min(levelIndex(system, own.within), standsIn(system, whole));
  own.within = nameOfLevel(system, outermost);
  own.members.push_back({name});
  return system;
}

System withoutParts(System system, const std::vector<SystemPart>& parts) {
  std::set<std::string> levels;
  std::set<std::string> networks;
  for (const SystemPart& part : parts) {
    if (part.kind == Kind::Interconnect) {
      system.levels[std::size_t(part.index)].interconnect.kind = InterconnectKind::None;
    } else {
      (part.kind == Kind::Level ? levels : networks).insert(partName(system, part).toStdString());
    }
  }
  for (const std::string& name : networks) removeNetwork(system, name);
  for (const std::string& name : levels) removeLevel(system, name);
  dropLostNode(system);
  // A network without members joins nothing, nor does a network with only such members.
  const auto idle = [](const Network& network) { return network.members.empty(); };
  while (true) {
    const auto found = std::find_if(system.networks.begin(), system.networks.end(), idle);
    if (found == system.networks.end()) return system;
    removeNetwork(system, std::string(found->interconnect.name));
  }
}

System withLevelMoved(System system, int from, int to) {
  const auto levels = system.levels.begin();
  if (from < to) {
    std::rotate(levels + from, levels + from + 1, levels + to + 1);
  } else {
    std::rotate(levels + to, levels + from, levels + from + 1);
  }
  dropLostNode(system);
  return system;
}

System renamed(System system, const SystemPart& part, const std::string& name) {
  const std::string old = partName(system, part).toStdString();
  if (part.kind == Kind::Network) {
    interconnectOf(system, part).name = name;
  } else {
    system.levels[std::size_t(part.index)].name = name;
    if (system.node == old) system.node = name;
  }
  for (Network& network : system.networks) {
    if (network.within == old) network.within = name;
    for (Member& member : network.members) {
      if (member.of == old) member.of = name;
    }
  }
  // An instance is called by its name and number: "NIC 0 of node 2".
  const QRegularExpression instance(QStringLiteral("(^| of | → )%1(?= \\d)").arg(QRegularExpression::escape(qs(old))));
  const QString by = QStringLiteral("\\1") + qs(name);
  for (std::string& text : system.disabled) {
    QString replaced = qs(text);
    text = replaced.replace(instance, by).toStdString();  // clazy:exclude=use-static-qregularexpression
  }
  for (PartState& state : system.states) {
    QString replaced = qs(state.part);
    state.part = state.part == old
                     ? name
                     : replaced.replace(instance, by).toStdString();  // clazy:exclude=use-static-qregularexpression
  }
  return system;
}

System withToggled(System system, const std::vector<std::string>& names) {
  const auto isOut = [&](const std::string& name) {
    return std::find(system.disabled.begin(), system.disabled.end(), name) != system.disabled.end();
  };
  const bool allOut = std::all_of(names.begin(), names.end(), isOut);
  for (const std::string& name : names) {
    if (allOut) {
      std::erase(system.disabled, name);
    } else if (!isOut(name)) {
      system.disabled.push_back(name);
    }
  }
  return system;
}

Result<void> checkLevels(System system) {
  system.networks.clear();
  system.disabled.clear();
  system.states.clear();
  for (Level& level : system.levels) {
    // How a level is joined says nothing about the level, and a plain switch allows any number of devices.
    level.interconnect.kind = InterconnectKind::Switch;
    level.interconnect.core = 0;
    level.interconnect.halfDuplex = false;
  }
  return checkParts(system);
}

QString copied(const System& system, const std::vector<SystemPart>& parts) {
  System some;
  some.name = system.name;
  std::set<int> levels;
  std::set<int> networks;
  for (const SystemPart& part : parts) (part.kind == Kind::Network ? networks : levels).insert(part.index);
  for (std::size_t before = 0; before != networks.size();) {
    before = networks.size();
    for (const int index : std::set<int>(networks)) {
      for (const Member& member : system.networks[std::size_t(index)].members) {
        const SystemPart part = partNamed(system, member.of);
        if (part.kind == Kind::Network) networks.insert(part.index);
      }
    }
  }
  for (int i = 0; i < int(system.levels.size()); ++i) {
    if (!networks.empty() || levels.contains(i)) some.levels.push_back(system.levels[std::size_t(i)]);
  }
  for (const int index : networks) some.networks.push_back(system.networks[std::size_t(index)]);
  return qs(systemToJson(some));
}

Result<System> pasted(System system, const QString& text) {
  P2_TRY_ASSIGN(const auto read, systemFromJson(text.toStdString()).within("clipboard"));
  System added = read;
  // A new name must be free on both sides.
  System both = system;
  both.levels.insert(both.levels.end(), added.levels.begin(), added.levels.end());
  both.networks.insert(both.networks.end(), added.networks.begin(), added.networks.end());
  for (int i = 0; i < int(added.levels.size()); ++i) {
    const std::string name = added.levels[std::size_t(i)].name;
    if (levelIndex(system, name) >= 0 && !added.networks.empty()) continue;
    if (isTaken(system, name)) added = renamed(std::move(added), {Kind::Level, i}, freeName(both, name));
    system.levels.push_back(added.levels[std::size_t(i)]);
  }
  for (int i = 0; i < int(added.networks.size()); ++i) {
    const std::string name = added.networks[std::size_t(i)].interconnect.name;
    if (isTaken(system, name)) added = renamed(std::move(added), {Kind::Network, i}, freeName(both, name));
  }
  system.networks.insert(system.networks.end(), added.networks.begin(), added.networks.end());
  return system;
}

}  // namespace p2::views
