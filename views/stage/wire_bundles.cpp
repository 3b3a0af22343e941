// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/wire_bundles.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace p2::views {
namespace {

using Wires = std::set<std::pair<Place, Place>>;

Wires wiresOf(std::span<const std::vector<Place>> paths) {
  Wires wires;
  for (const std::vector<Place>& path : paths) {
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (path[i - 1] != path[i]) wires.emplace(std::minmax(path[i - 1], path[i]));
    }
  }
  return wires;
}

constexpr double kAboveStripEdge = 2;  // as the line of what joins the children, below the name in its strip

/// The instance of `level` that a place is inside of; the place itself if it does not. What joins the children of an
/// instance is inside that instance.
Place outer(const System& system, Place place, std::size_t level) {
  std::size_t at = place.index;
  if (place.kind == Place::Kind::Network) at = depthWithin(system, system.networks[place.index].within);
  if (place.kind != Place::Kind::Level) {
    if (at == 0) return place;
    --at;
  }
  if (at < level || (at == level && place.kind == Place::Kind::Level)) return place;
  if (place.kind == Place::Kind::Network) place.instance /= system.networks[place.index].instances;
  for (; at > level; --at) place.instance /= system.levels[at].count;
  return {Place::Kind::Level, level, place.instance};
}

QLineF along(const QRectF& strip) {
  const double inset = strip.width() / 8;
  const double y = strip.bottom() - kAboveStripEdge;
  return {strip.left() + inset, y, strip.right() - inset, y};
}

}  // namespace

std::vector<WireBundle> bundledWires(const System& system, const StagePlaces& places,
                                     std::span<const std::vector<Place>> paths, std::size_t most) {
  const Wires wires = wiresOf(paths);
  for (std::size_t level = system.levels.size() - 1; level-- > 0;) {
    std::map<std::pair<Place, Place>, std::int64_t> joined;
    for (const auto& [from, to] : wires) {
      const Place a = outer(system, from, level);
      const Place b = outer(system, to, level);
      ++joined[std::minmax(a, b)];
    }
    if (joined.size() > most) continue;
    std::vector<WireBundle> bundles;
    for (const auto& [ends, count] : joined) {
      const auto& [from, to] = ends;
      const QLineF line(places.pointOf(from), places.pointOf(to));
      // An instance and what joins its children stand in the same strip.
      const bool isLevel = from.kind == Place::Kind::Level;
      const QRectF strip = places.stripOf(isLevel ? from.index + 1 : from.index, from.instance);
      bundles.push_back({line.isNull() ? along(strip) : line, count});
    }
    return bundles;
  }
  if (wires.empty()) return {};
  return {{along(places.stripOf(0, 0)), std::int64_t(wires.size())}};
}

}  // namespace p2::views
