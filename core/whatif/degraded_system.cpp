// SPDX-License-Identifier: GPL-3.0-or-later
#include "whatif/degraded_system.h"

#include <algorithm>
#include <map>

#include "base/numbers.h"
#include "system/part_states.h"
#include "system/valid_system.h"
#include "whatif/system_changes.h"

namespace p2::inline whatif {
namespace {

/// The part of "node 5: down" or "node 5: 0%"; empty for other states.
std::string_view partDown(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  return isDownText(text.substr(colon + 1)) ? text.substr(0, colon) : std::string_view();
}

bool isDevices(const System& system, std::string_view name) {
  const auto part = statePartFrom(system, name);
  return part.ok() && part->scope == StatePart::Scope::Devices;
}

/// A name of a part without one instance of the outermost level: those behind it move up. Empty if the part goes too.
std::string renumbered(const std::string& name, const std::string& level, std::int64_t without) {
  std::string text;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = name.find(level + " ", at)) != std::string::npos;) {
    const std::size_t digits = at + level.size() + 1;
    const std::size_t end = std::min(name.find_first_not_of("0123456789", digits), name.size());
    const bool isWord = (at == 0 || name[at - 1] == ' ') && end > digits;
    at = end;
    if (!isWord) continue;
    const auto number = parseInteger(std::string_view(name).substr(digits, end - digits));
    if (number && *number == without) return {};
    if (!number || *number < without) continue;
    text += name.substr(from, digits - from) + std::to_string(*number - 1);
    from = end;
  }
  return text + name.substr(from);
}

/// Racks are equal, so that each gives up the node of that number.
Result<System> withoutNodeOfRacks(const System& system, const Place& node) {
  const Level& level = system.levels[node.index];
  System other = system;
  const auto renumber = [&](std::string& each) {
    return (each = renumbered(each, level.name, node.instance % level.count)).empty();
  };
  std::erase_if(other.states, [&](PartState& state) { return renumber(state.part); });
  std::erase_if(other.disabled, renumber);
  const std::int64_t nodes = nodeCount(system);
  return withNodeCount(other, nodes - nodes / level.count);
}

/// "its node, as in node 1 of rack 0: down": the smallest removable instance around a part.
std::string nextToLeaveOut(const System& system, const Place& part) {
  const std::size_t node = nodeDepth(system) - 1;
  Place around{Place::Kind::Level, part.index > node && system.levels[node].count > 1 ? node : 0, part.instance};
  for (std::size_t level = part.index; level > around.index; --level) around.instance /= system.levels[level].count;
  return "its " + system.levels[around.index].name + ", as in " + placeName(system, around) + ": down";
}

Result<System> withoutInstance(const System& system, std::string_view name) {
  P2_TRY_ASSIGN(const StatePart part, statePartFrom(system, name));
  const std::string& outermost = system.levels.front().name;
  const std::int64_t count = system.levels.front().count;
  const bool isOfRack = part.place.index > 0 && part.place.index + 1 == nodeDepth(system);
  if (isOfRack && system.levels[part.place.index].count > 1) return withoutNodeOfRacks(system, part.place);
  if (part.place.index > 0) {
    return Error{"\"" + std::string(name) +
                 "\" cannot be down alone, since all nodes work with as many devices; leave out " +
                 (nodeCount(system) > 1 ? nextToLeaveOut(system, part.place) : "all of them")};
  }
  if (count == 1) return Error{"nothing is left without " + std::string(name)};
  System other = system;
  const auto renumber = [&](std::string& each) {
    return (each = renumbered(each, outermost, part.place.instance)).empty();
  };
  std::erase_if(other.states, [&](PartState& state) { return renumber(state.part); });
  std::erase_if(other.disabled, renumber);
  return withNodeCount(other, nodeCount(system) / count * (count - 1));
}

}  // namespace

Result<System> withDegraded(const System& system, const std::vector<std::string>& states) {
  std::vector<std::string> others;
  std::map<Place, std::string_view> down;
  for (const std::string& text : states) {
    const std::string_view part = partDown(text);
    if (part.empty() || !isDevices(system, part)) {
      others.push_back(text);
    } else {
      P2_TRY_ASSIGN(const StatePart found, statePartFrom(system, part));
      down.emplace(found.place, part);
    }
  }
  P2_TRY_ASSIGN(auto other, withStates(system, others));
  // From the last on, so that the numbers of those before it stay.
  for (auto each = down.rbegin(); each != down.rend(); ++each) {
    P2_TRY_ASSIGN(other, withoutInstance(other, each->second));
  }
  return other;
}

}  // namespace p2::inline whatif
