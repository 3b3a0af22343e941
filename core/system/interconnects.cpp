// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/interconnects.h"

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/numbers.h"
#include "base/units.h"
#include "system/level_names.h"

namespace p2::inline system {
namespace {

template <class Link, class AnySystem>
std::vector<PlacedInterconnect<Link>> listed(AnySystem& system) {
  std::vector<PlacedInterconnect<Link>> result;
  for (std::size_t i = 0; i < system.levels.size(); ++i) {
    result.push_back({{Place::Kind::Interconnect, i, 0}, system.levels[i].name, system.levels[i].interconnect});
  }
  for (std::size_t i = 0; i < system.networks.size(); ++i) {
    auto& link = system.networks[i].interconnect;
    result.push_back({{Place::Kind::Network, i, 0}, link.name, link});
  }
  return result;
}

/// The words of a JSON pointer.
std::vector<std::string> wordsOf(const std::string& pointer) {
  std::vector<std::string> words;
  for (std::size_t from = 0; from < pointer.size();) {
    const std::size_t to = std::min(pointer.find('/', from + 1), pointer.size());
    words.push_back(pointer.substr(from + 1, to - from - 1));
    from = to;
  }
  return words;
}

/// Of levels drawn from the inside out: a GPU holds no servers.
std::optional<SystemNote> turnedAround(const System& system) {
  const std::vector<Level>& levels = system.levels;
  const auto device = std::find_if(levels.begin(), levels.end(), [](const Level& level) {
    return levelSortOf(level.name) == LevelSort::Accelerator;
  });
  const auto inside = std::find_if(device, levels.end(), [](const Level& level) {
    const LevelSort sort = levelSortOf(level.name);
    return sort == LevelSort::Machine || sort == LevelSort::Socket;
  });
  if (inside == levels.end()) return std::nullopt;
  const auto spelt = [](const Level& level) { return level.name + ":" + std::to_string(level.count); };
  return SystemNote{"level " + inside->name + " is drawn inside " + device->name +
                        "; levels go from the outside in, as in " + spelt(*inside) + " " + spelt(*device),
                    "/levels/" + std::to_string(device - levels.begin())};
}

/// For a file that does not name its nodes, although other nodes are probably meant.
std::optional<SystemNote> unnamedNodes(const System& system) {
  const std::string node = nodeLevelByName(system);
  if (!system.node.empty() || node.empty()) return std::nullopt;
  return SystemNote{"each " + system.levels[system.levels.size() - 2].name + " is taken for a node; to have " +
                        (node == kRootName ? "one node in all" : "each " + node + " be one") + ", say \"node\": \"" +
                        node + "\" in the file, or choose it under Nodes",
                    "/node"};
}

bool hasFiguresOf(const Interconnect& a, const Interconnect& b) {
  return a.bandwidth == b.bandwidth && a.latency == b.latency && a.core == b.core;
}

}  // namespace

std::vector<PlacedInterconnect<const Interconnect>> interconnects(const System& system) {
  return listed<const Interconnect>(system);
}

std::vector<PlacedInterconnect<Interconnect>> interconnects(System& system) { return listed<Interconnect>(system); }

std::vector<CarryingLink> carryingLinks(const System& system) {
  std::vector<CarryingLink> links;
  std::size_t index = 0;
  for (const auto& [place, name, link] : interconnects(system)) {
    const std::size_t at = index++;
    const bool joinsNothing = place.kind != Place::Kind::Network && system.levels[place.index].count < 2;
    if (link.kind == InterconnectKind::None || !(link.bandwidth > 0) || joinsNothing) continue;
    links.push_back({at, link.name.empty() ? name : link.name, name});
  }
  std::map<std::string, int> times;
  for (const CarryingLink& link : links) ++times[link.name];
  for (CarryingLink& link : links) {
    if (times[link.name] > 1) link.name = link.place;
  }
  return links;
}

bool hasFittedFigures(const System& system) {
  const auto all = interconnects(system);
  return !system.tuned.empty() || std::any_of(all.begin(), all.end(), [](const auto& placed) {
    const Interconnect& link = placed.link;
    return link.fittedBandwidth > 0 || link.fittedLatency >= 0 || link.fittedRingCap > 0 || link.fittedTreeCap > 0;
  });
}

std::optional<FaultyPart> faultyPart(const Error& error) {
  std::vector<std::string> words = wordsOf(error.where.part);
  if (!words.empty() && words[0] == "system") words.erase(words.begin());
  if (words.size() < 2 || (words[0] != "levels" && words[0] != "networks")) return {};
  const auto index = parseInteger(words[1]);
  if (!index || *index < 0) return {};
  FaultyPart part{
      words[0] == "levels" ? Place::Kind::Level : Place::Kind::Network, static_cast<std::size_t>(*index), {}};
  const bool ofInterconnect = words.size() > 2 && words[2] == "interconnect";
  if (ofInterconnect && part.kind == Place::Kind::Level) part.kind = Place::Kind::Interconnect;
  if (const std::size_t at = ofInterconnect ? 3 : 2; words.size() > at) part.property = words[at];
  return part;
}

bool hasAssumedFigures(const System& system, std::size_t level) {
  const Level& asked = system.levels[level];
  return asked.count > 1 && asked.interconnect == defaultInterconnect(asked.name, level + 1 == system.levels.size());
}

std::optional<SystemNote> assumedFigures(const System& system, const std::vector<std::string>& given) {
  std::optional<SystemNote> note;
  std::string example;
  for (std::size_t i = 0; i < system.levels.size(); ++i) {
    const Level& level = system.levels[i];
    if (!hasAssumedFigures(system, i) || std::find(given.begin(), given.end(), level.name) != given.end()) continue;
    if (note) {
      note->sentence += ", ";
    } else {
      note = SystemNote{"assumed bandwidths: ", "/levels/" + std::to_string(i) + "/interconnect"};
      example = level.name + ":" + std::to_string(level.count) + "@50GB/s";
    }
    note->sentence += formatBandwidth(level.interconnect.bandwidth) + " between " + pluralOf(nounOf(level));
  }
  if (note) note->sentence += "; enter your own, as in " + example;
  return note;
}

std::vector<SystemNote> notesOn(const System& system) {
  std::vector<SystemNote> notes;
  // A single device does not need to be named.
  const auto isAlone = [](const Level& level) { return level.count == 1; };
  if (std::all_of(system.levels.begin(), system.levels.end(), isAlone)) return notes;
  if (auto note = turnedAround(system)) notes.push_back(std::move(*note));
  if (auto note = unnamedNodes(system)) notes.push_back(std::move(*note));
  for (std::size_t i = 0; i < system.levels.size(); ++i) {
    const Level& level = system.levels[i];
    const Interconnect& link = level.interconnect;
    if (level.count != 1 || link.kind == InterconnectKind::None) continue;
    const Interconnect unasked = defaultInterconnect(level.name, i + 1 == system.levels.size());
    if (hasFiguresOf(link, unasked)) continue;
    // An interconnect of several machines, for example InfiniBand, does not fit inside one machine.
    if (i == 0 && link.name != unasked.name) continue;
    const std::string figures =
        formatBandwidth(link.bandwidth) + (link.latency > 0 ? ", " + formatSeconds(link.latency) : std::string());
    notes.push_back({"level " + level.name + " has one instance, so nothing crosses its interconnect (" + figures +
                         "); give the figures to the level or network that messages cross, or raise the count",
                     "/levels/" + std::to_string(i) + "/interconnect"});
  }
  return notes;
}

}  // namespace p2::inline system
