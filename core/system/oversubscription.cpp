// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/oversubscription.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/near.h"
#include "base/numbers.h"
#include "base/units.h"
#include "system/interconnects.h"

namespace p2::inline system {
namespace {

const Network* networkNamed(const System& system, const std::string& name) {
  const auto found = std::find_if(system.networks.begin(), system.networks.end(),
                                  [&](const Network& each) { return each.interconnect.name == name; });
  return found == system.networks.end() ? nullptr : &*found;
}

/// Whether members of a network are networks themselves.
bool joinsOthers(const System& system, const Network& network) {
  return std::any_of(network.members.begin(), network.members.end(),
                     [&](const Member& member) { return networkNamed(system, member.of) != nullptr; });
}

std::int64_t allInstances(const System& system, const Network& network) {
  std::int64_t count = network.instances;
  if (network.within.empty()) return count;
  for (const Level& level : system.levels) {
    count *= level.count;
    if (level.name == network.within) return count;
  }
  return count;
}

/// Bytes/s that one instance of a network can pass on: all of its members together.
double portsOf(const System& system, const Network& network) {
  double members = 0;
  for (const Member& member : network.members) {
    const Network* below = networkNamed(system, member.of);
    if (below == nullptr) return 0;
    // Members of an entry are counted in each enclosure of the network.
    const double enclosures =
        static_cast<double>(allInstances(system, network)) / static_cast<double>(network.instances);
    members += member.count > 0 ? static_cast<double>(member.count) * enclosures
                                : static_cast<double>(allInstances(system, *below));
  }
  return members / static_cast<double>(allInstances(system, network)) * network.interconnect.bandwidth;
}

/// Bytes/s that can be sent into a port of the place; 0 where nothing says.
double sentInto(const System& system, const Place& place) {
  if (place.kind == Place::Kind::Network) {
    const Network& network = system.networks[place.index];
    if (!isSpine(system, network)) return 0;
    const Network* below = networkNamed(system, network.members.front().of);
    return below == nullptr ? 0 : portsOf(system, *below);
  }
  const std::size_t depth = nodeDepth(system);
  if (place.index + 1 < depth) {
    const Level& inner = system.levels[place.index + 1];
    if (inner.interconnect.kind == InterconnectKind::None) return 0;
    return static_cast<double>(inner.count) * inner.interconnect.bandwidth;
  }
  return 0;
}

/// Whether the network alone joins the cards of all nodes, as one switch.
bool joinsAllCards(const System& system, const Network& network) {
  const bool plain = network.interconnect.kind == InterconnectKind::Switch && network.within.empty() &&
                     network.instances == 1 && joinsOthers(system, network) && !isSpine(system, network);
  return plain && std::none_of(system.networks.begin(), system.networks.end(), [&](const Network& above) {
           return std::any_of(above.members.begin(), above.members.end(),
                              [&](const Member& member) { return member.of == network.interconnect.name; });
         });
}

/// A switch without another one between the nodes: its core says how much it carries.
bool isOnlySwitch(const System& system, const Place& place) {
  if (place.kind == Place::Kind::Network) return joinsAllCards(system, system.networks[place.index]);
  return place.kind == Place::Kind::Interconnect && place.index == 0 && nodeDepth(system) == 1 &&
         system.levels[0].interconnect.kind == InterconnectKind::Switch;
}

/// Bytes/s of all ports of the only switch.
double allPortsOf(const System& system, const Place& place) {
  if (place.kind == Place::Kind::Network) return portsOf(system, system.networks[place.index]);
  return static_cast<double>(system.levels[0].count) * system.levels[0].interconnect.bandwidth;
}

Interconnect& linkAt(System& system, const Place& place) {
  return place.kind == Place::Kind::Network ? system.networks[place.index].interconnect
                                            : system.levels[place.index].interconnect;
}

}  // namespace

bool isSpine(const System& system, const Network& network) {
  return std::any_of(network.members.begin(), network.members.end(), [&](const Member& member) {
    const Network* below = networkNamed(system, member.of);
    return below != nullptr && joinsOthers(system, *below);
  });
}

double oversubscriptionOf(const System& system, const Place& place) {
  const Interconnect& link = place.kind == Place::Kind::Network ? system.networks[place.index].interconnect
                                                                : system.levels[place.index].interconnect;
  if (isOnlySwitch(system, place)) {
    return link.core > 0 ? allPortsOf(system, place) / link.core : 1;
  }
  const double sent = sentInto(system, place);
  return link.bandwidth > 0 ? sent / link.bandwidth : 0;
}

Result<System> withOversubscription(const System& system, const Place& place, double ratio) {
  if (!(ratio > 0) || ratio > 1000) return Error{"an oversubscription is 1:1 (does not block) to 1000:1"};
  System other = system;
  Interconnect& link = linkAt(other, place);
  if (isOnlySwitch(system, place)) {
    link.core = ratio > 1 ? allPortsOf(system, place) / ratio : 0;
    return other;
  }
  const double sent = sentInto(system, place);
  if (sent <= 0) return Error{"nothing below it has a bandwidth, so no oversubscription follows; give its bandwidth"};
  link.bandwidth = sent / ratio;
  link.fittedBandwidth = 0;
  return other;
}

Result<Place> oversubscribedPart(const System& system) {
  for (std::size_t i = 0; i < system.networks.size(); ++i) {
    const Place place{Place::Kind::Network, i, 0};
    if (oversubscriptionOf(system, place) > 0) return place;
  }
  const Place outermost{Place::Kind::Interconnect, 0, 0};
  if (!system.levels.empty() && oversubscriptionOf(system, outermost) > 0) return outermost;
  return Error{"no network above the nodes of this system can be oversubscribed; add a spine or a level of racks"};
}

std::string ratioText(double ratio) { return exactNumber(std::round(ratio * 1000) / 1000) + ":1"; }

Result<double> ratioFrom(std::string_view text) {
  const std::string_view number = text.ends_with(":1") ? text.substr(0, text.size() - 2) : text;
  double value = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool isWhole = read.ec == std::errc() && read.ptr == number.data() + number.size();
  if (!isWhole || !(value >= 1) || value > 1000) {
    return Error{"\"" + std::string(text) + "\" is not an oversubscription; use 1, 2 or 4:1"};
  }
  return value;
}

System keepingOversubscription(const System& before, System after, std::vector<std::string>* stated) {
  const auto all = interconnects(before);
  const auto parts = interconnects(after);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    // A level's ratio follows from the bandwidth of the level below it: innermost first.
    const auto& placed = parts[i < after.levels.size() ? after.levels.size() - 1 - i : i];
    const auto same = std::find_if(all.begin(), all.end(), [&](const auto& each) {
      return each.place.kind == placed.place.kind && each.name == placed.name;
    });
    if (same == all.end() || isOnlySwitch(after, placed.place)) continue;
    // A bandwidth that was changed itself is meant.
    if (same->link.bandwidth != placed.link.bandwidth) continue;
    const double ratio = oversubscriptionOf(before, same->place);
    const double now = oversubscriptionOf(after, placed.place);
    if (ratio <= 0 || now <= 0 || nearlyEqual(ratio, now)) continue;
    placed.link.bandwidth *= now / ratio;
    placed.link.fittedBandwidth = 0;
    if (stated != nullptr) {
      stated->push_back(placed.name + " now has " + formatBandwidth(placed.link.bandwidth) + " per port and stays " +
                        ratioText(ratio));
    }
  }
  return after;
}

}  // namespace p2::inline system
