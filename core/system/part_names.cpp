// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <span>

#include "base/names.h"
#include "base/numbers.h"
#include "system/interconnects.h"
#include "system/part_states.h"

namespace p2::inline system {
namespace {

constexpr std::string_view kAllOf = "all of ";

/// Whether it is an instance, of a level or of a network.
bool isNumbered(const StatePart& part) {
  return part.scope == StatePart::Scope::Devices || part.scope == StatePart::Scope::Instance;
}

/// "NIC 3": words, and the number at their end.
struct Numbered {
  std::string name;
  std::int64_t number = 0;
};

std::optional<Numbered> numberedFrom(std::string_view text) {
  const auto blank = text.rfind(' ');
  if (blank == std::string_view::npos) return {};
  const auto number = parseInteger(text.substr(blank + 1));
  if (!number || *number < 0) return {};
  return Numbered{std::string(text.substr(0, blank)), *number};
}

std::vector<std::string> piecesOf(std::string_view text) {
  constexpr std::string_view kOf = " of ";
  std::vector<std::string> pieces(1);
  for (std::size_t at = 0; at < text.size();) {
    if (sameName(text.substr(at, kOf.size()), kOf)) {
      pieces.emplace_back();
      at += kOf.size();
    } else {
      pieces.back() += text[at++];
    }
  }
  return pieces;
}

/// The place in a list whose name is the text, else one whose name differs in the case of letters alone.
template <class List, class Name>
std::optional<std::size_t> called(const List& list, std::string_view text, const Name& nameOf) {
  std::optional<std::size_t> similar;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string& name = nameOf(list[i]);
    if (name == text) return i;
    if (!similar && sameName(name, text)) similar = i;
  }
  return similar;
}

std::optional<std::size_t> levelCalled(const System& system, const std::string& name) {
  return called(system.levels, name, [](const Level& level) -> const std::string& { return level.name; });
}

std::optional<std::size_t> networkCalled(const System& system, const std::string& name) {
  return called(system.networks, name,
                [](const Network& network) -> const std::string& { return network.interconnect.name; });
}

Error noSuchNumber(const std::string& name, std::int64_t number, std::int64_t count) {
  return Error{"there is no " + name + " " + std::to_string(number) + "; use " + name + " 0 to " + name + " " +
               std::to_string(count - 1)};
}

Error noSuchPart(const System& system, std::string_view name) {
  return Error{"nothing is called \"" + std::string(name) + "\"; there are " + statePartNames(system)};
}

/// The instance of a level that pieces say, innermost first: {"gpu 3", "node 5"}. Levels with one instance may be left
/// out.
Result<Place> levelPlace(const System& system, std::span<const std::string> pieces, std::string_view whole) {
  const auto innermost = numberedFrom(pieces.front());
  const auto level = innermost ? levelCalled(system, innermost->name) : std::nullopt;
  if (!level) return noSuchPart(system, whole);
  std::vector<std::int64_t> digits(*level + 1, -1);
  for (const std::string& piece : pieces) {
    const auto numbered = numberedFrom(piece);
    const auto at = numbered ? levelCalled(system, numbered->name) : std::nullopt;
    if (!at || *at > *level || digits[*at] >= 0) return noSuchPart(system, whole);
    if (numbered->number >= system.levels[*at].count) {
      return noSuchNumber(numbered->name, numbered->number, system.levels[*at].count);
    }
    digits[*at] = numbered->number;
  }
  std::int64_t instance = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] < 0 && system.levels[i].count > 1) {
      return Error{"\"" + std::string(whole) + "\" names no " + system.levels[i].name + "; add \" of " +
                   system.levels[i].name + " 0\""};
    }
    instance = instance * system.levels[i].count + std::max<std::int64_t>(0, digits[i]);
  }
  return Place{Place::Kind::Level, *level, instance};
}

/// "NIC 3 of node 5", or "rail 3 of node 5" where the network is not in a node.
Result<StatePart> networkPart(const System& system, std::size_t index, std::int64_t number,
                              std::span<const std::string> outer, std::string_view whole) {
  using Scope = StatePart::Scope;
  const Network& network = system.networks[index];
  if (number >= network.instances) return noSuchNumber(network.interconnect.name, number, network.instances);
  // Systems that are being edited may name a level that does not exist yet.
  if (!network.within.empty() && !levelCalled(system, network.within)) return noSuchPart(system, whole);
  const std::size_t depth = depthWithin(system, network.within);
  if (outer.empty()) {
    std::int64_t enclosures = 1;
    for (std::size_t i = 0; i < depth; ++i) enclosures *= system.levels[i].count;
    if (enclosures == 1) return StatePart{Scope::Instance, {Place::Kind::Network, index, number}};
    return Error{"\"" + std::string(whole) + "\" names no " + network.within + "; add \" of " + network.within +
                 " 0\""};
  }
  P2_TRY_ASSIGN(const Place at, levelPlace(system, outer, whole));
  std::int64_t enclosure = at.instance;
  for (std::size_t i = at.index + 1; i > depth; --i) enclosure /= system.levels[i - 1].count;
  const Place place{Place::Kind::Network, index, enclosure * network.instances + number};
  if (at.index + 1 == depth) return StatePart{Scope::Instance, place};
  if (at.index + 1 < depth) return noSuchPart(system, whole);
  return StatePart{Scope::Between, place, at};
}

/// The network that joins the instances of a level which has no interconnect of its own: a spine joins racks whose
/// rails are its members.
std::optional<Place> networkJoining(const System& system, const std::string& level) {
  std::optional<Place> only;
  for (std::size_t i = 0; i < system.networks.size(); ++i) {
    const Network& network = system.networks[i];
    const bool joins = std::any_of(network.members.begin(), network.members.end(), [&](const Member& member) {
      const auto below = networkCalled(system, member.of);
      return below && system.networks[*below].within == level;
    });
    if (!joins || network.within == level) continue;
    if (only) return {};
    only = Place{Place::Kind::Network, i, 0};
  }
  return only;
}

std::optional<StatePart> wholePart(const System& system, std::string_view name) {
  const auto links = carryingLinks(system);
  auto at = called(links, name, [](const CarryingLink& link) -> const std::string& { return link.name; });
  if (!at) at = called(links, name, [](const CarryingLink& link) -> const std::string& { return link.place; });
  if (at) return StatePart{StatePart::Scope::Whole, interconnects(system)[links[*at].index].place};
  const auto level = levelCalled(system, std::string(name));
  const auto joining = level ? networkJoining(system, system.levels[*level].name) : std::nullopt;
  if (joining) return StatePart{StatePart::Scope::Whole, *joining};
  return {};
}

/// "NIC 3 of node 5 → rail 3" or "gpu 0 of node 1 ↑", each end with the system's own spelling.
std::string spelledLink(const System& system, std::string_view name) {
  constexpr std::string_view kArrows[] = {" → ", " ↑", " ↓"};
  const auto spelled = [&system](std::string_view end) {
    const auto part = statePartFrom(system, end);
    return part.ok() && isNumbered(*part) ? placeName(system, part->place) : std::string(end);
  };
  for (const std::string_view arrow : kArrows) {
    const auto at = name.find(arrow);
    if (at == std::string_view::npos) continue;
    const std::string_view other = name.substr(at + arrow.size());
    return spelled(name.substr(0, at)) + std::string(arrow) + (other.empty() ? std::string() : spelled(other));
  }
  return std::string(name);
}

/// "gpu switch of node 1": what joins the children of an instance.
Result<StatePart> joinPart(const System& system, std::size_t level, std::span<const std::string> outer,
                           std::string_view whole) {
  std::int64_t instance = 0;
  if (level > 0 && !outer.empty()) {
    P2_TRY_ASSIGN(const Place at, levelPlace(system, outer, whole));
    if (at.index + 1 != level) return noSuchPart(system, whole);
    instance = at.instance;
  }
  if (level > 0 && outer.empty()) return noSuchPart(system, whole);
  return StatePart{StatePart::Scope::Instance, {Place::Kind::Interconnect, level, instance}};
}

std::string numbersText(const std::string& name, std::int64_t count, const std::string& of) {
  return (count == 1 ? name + " 0" : name + " 0 to " + name + " " + std::to_string(count - 1)) + of;
}

}  // namespace

std::string statePartNames(const System& system) {
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
  for (std::size_t i = 0; i < system.levels.size(); ++i) {
    const bool inner = i > 0 && system.levels[i - 1].count > 1;
    add(numbersText(system.levels[i].name, system.levels[i].count,
                    inner ? " of each " + system.levels[i - 1].name : std::string()));
  }
  for (const Network& network : system.networks) {
    add(numbersText(network.interconnect.name, network.instances,
                    network.within.empty() ? std::string() : " of each " + network.within));
  }
  for (const CarryingLink& link : carryingLinks(system)) {
    const bool isLevel =
        link.name == link.place && interconnects(system)[link.index].place.kind != Place::Kind::Network;
    add(isLevel ? link.name + " for what joins them" : "all of " + link.name);
  }
  return names;
}

Result<StatePart> statePartFrom(const System& system, std::string_view name) {
  using Scope = StatePart::Scope;
  if (sameName(name.substr(0, kAllOf.size()), kAllOf)) name.remove_prefix(kAllOf.size());
  if (const auto whole = wholePart(system, name)) return *whole;
  const bool isLink = name.find("→") != std::string_view::npos || name.ends_with("↑") || name.ends_with("↓");
  if (isLink) return StatePart{Scope::Link, {}, {}, spelledLink(system, name)};
  const std::vector<std::string> pieces = piecesOf(name);
  const std::span<const std::string> outer = std::span(pieces).subspan(1);
  for (std::size_t level = 0; level < system.levels.size(); ++level) {
    const Level& own = system.levels[level];
    if (sameName(pieces.front(), own.name + " " + std::string(nameOf(own.interconnect.kind)))) {
      return joinPart(system, level, outer, name);
    }
  }
  const auto numbered = numberedFrom(pieces.front());
  if (!numbered) return noSuchPart(system, name);
  if (const auto network = networkCalled(system, numbered->name)) {
    return networkPart(system, *network, numbered->number, outer, name);
  }
  P2_TRY_ASSIGN(const Place place, levelPlace(system, pieces, name));
  return StatePart{Scope::Devices, place};
}

std::string partName(const System& system, const StatePart& part) {
  using Scope = StatePart::Scope;
  if (part.scope == Scope::Link) return part.link;
  if (isNumbered(part)) return placeName(system, part.place);
  if (part.scope == Scope::Between) {
    const Network& network = system.networks[part.place.index];
    return network.interconnect.name + " " + std::to_string(part.place.instance % network.instances) + " of " +
           placeName(system, part.at);
  }
  const auto all = interconnects(system);
  for (const CarryingLink& link : carryingLinks(system)) {
    if (all[link.index].place == part.place) return link.name;
  }
  return placeName(system, part.place);
}

}  // namespace p2::inline system
