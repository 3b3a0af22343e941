// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/place.h"

namespace p2::inline system {
namespace {

std::string levelName(const System& system, std::size_t level, std::int64_t instance) {
  std::string name = system.levels[level].name + " " + std::to_string(instance % system.levels[level].count);
  for (std::size_t outer = level; outer-- > 0;) {
    instance /= system.levels[outer + 1].count;
    if (system.levels[outer].count == 1) continue;
    name += " of " + system.levels[outer].name + " " + std::to_string(instance % system.levels[outer].count);
  }
  return name;
}

}  // namespace

std::size_t depthWithin(const System& system, const std::string& within) {
  if (within.empty()) return 0;
  std::size_t level = 0;
  while (system.levels[level].name != within) ++level;
  return level + 1;
}

std::string placeName(const System& system, const Place& place) {
  if (place.kind == Place::Kind::Level) return levelName(system, place.index, place.instance);
  if (place.kind == Place::Kind::Interconnect) {
    const Level& level = system.levels[place.index];
    const std::string name = level.name + " " + std::string(nameOf(level.interconnect.kind));
    return place.index == 0 ? name : name + " of " + levelName(system, place.index - 1, place.instance);
  }
  const Network& network = system.networks[place.index];
  const std::string name = network.interconnect.name + " " + std::to_string(place.instance % network.instances);
  const std::size_t depth = depthWithin(system, network.within);
  return depth == 0 ? name : name + " of " + levelName(system, depth - 1, place.instance / network.instances);
}

}  // namespace p2::inline system
