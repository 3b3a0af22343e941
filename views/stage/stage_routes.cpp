// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage/stage_routes.h"

#include <algorithm>
#include <optional>

namespace p2::views {

Place StageRoutes::placeOf(Device device) const {
  return {Place::Kind::Level, m_topology.levels().size() - 1, device.value()};
}

Place StageRoutes::nodeOf(Device device) const {
  const std::size_t levels = m_topology.levels().size();
  if (levels < 2) return placeOf(device);
  return {Place::Kind::Level, levels - 2, m_topology.levels()[levels - 2].instanceOf(device)};
}

std::size_t StageRoutes::depthOf(const Place& place) const {
  const System& system = *m_topology.system();
  switch (place.kind) {
    case Place::Kind::Level:
      return place.index + 1;
    case Place::Kind::Interconnect:
      return place.index;
    case Place::Kind::Network:
      return depthWithin(system, system.networks[place.index].within);
  }
  return 0;
}

std::vector<Place> StageRoutes::between(Device from, Device to) const {
  std::vector<LinkId> links;
  if (!m_stop.stop_requested()) m_topology.route(from, to, links);
  std::vector<Place> places{placeOf(from)};
  for (const LinkId link : links) {
    for (const Topology::LinkEnds ends = m_topology.ends(link); const Place& place : {ends.from, ends.to}) {
      if (place != places.back()) places.push_back(place);
    }
  }
  if (places.back() != placeOf(to)) places.push_back(placeOf(to));
  return places;
}

Place StageRoutes::middleOf(Device a, Device b) const {
  std::optional<Place> middle;
  for (const Place& place : between(a, b)) {
    if (place.kind != Place::Kind::Level && (!middle || depthOf(place) < depthOf(*middle))) middle = place;
  }
  const auto& levels = m_topology.levels();
  std::size_t level = 0;
  while (level + 1 < levels.size() && levels[level].instanceOf(a) == levels[level].instanceOf(b)) ++level;
  // A way through deeper switches, over a ring or mesh, has its middle in the ring.
  if (middle && depthOf(*middle) <= level) return *middle;
  return {Place::Kind::Interconnect, level, level == 0 ? 0 : levels[level - 1].instanceOf(a)};
}

std::vector<Place> StageRoutes::leadingTo(const Place& middle, Device from, Device to) const {
  std::vector<Place> places = between(from, to);
  const auto found = std::find(places.begin(), places.end(), middle);
  if (found == places.end()) return {placeOf(from), middle};
  places.erase(found + 1, places.end());
  return places;
}

std::vector<Place> StageRoutes::leadingFrom(const Place& middle, Device from, Device to) const {
  std::vector<Place> places = between(from, to);
  const auto found = std::find(places.begin(), places.end(), middle);
  if (found == places.end()) return {middle, placeOf(to)};
  places.erase(places.begin(), found);
  return places;
}

}  // namespace p2::views
