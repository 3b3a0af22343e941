// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/torus_rings.h"

#include <algorithm>

#include "system/torus_routes.h"

namespace p2::inline cost {
namespace {

/// The different places of a group in the network, ascending. Small groups on large rings are sorted, so that groups
/// that fill the torus together take no longer than its members.
std::vector<std::int32_t> ringPlaces(const TorusRoutes& torus, const DeviceGroup& group, std::size_t network) {
  const auto size = static_cast<std::size_t>(torus.sizes()[network]);
  std::vector<std::int32_t> places;
  if (group.size() < size) {
    for (const Device device : group) places.push_back(torus.placeOf(device, network));
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
  }
  std::vector<bool> taken(size);
  for (const Device device : group) taken[static_cast<std::size_t>(torus.placeOf(device, network))] = true;
  for (std::size_t place = 0; place < size; ++place) {
    if (taken[place]) places.push_back(static_cast<std::int32_t>(place));
  }
  return places;
}

/// The members of a group on a ring of the network; none where their distances differ.
std::optional<TorusRings::Line> lineOf(const TorusRoutes& torus, const DeviceGroup& group, std::size_t network) {
  const std::int32_t size = torus.sizes()[network];
  const std::vector<std::int32_t> places = ringPlaces(torus, group, network);
  TorusRings::Line line{network, static_cast<std::int32_t>(places.size()), places.front(), 1, false};
  if (places.size() == 1) return line;
  line.stride = places[1] - places[0];
  for (std::size_t i = 2; i < places.size(); ++i) {
    if (places[i] - places[i - 1] != line.stride) return std::nullopt;
  }
  line.closed = line.stride * line.members == size;
  return line;
}

/// Bytes/s at which a member receives along it.
double bandwidthAlong(const TorusRings::Line& line, double link) {
  // Every device in between belongs to a group that sends over the same links.
  return link * (line.closed ? 2 : 1) / line.stride;
}

}  // namespace

std::optional<TorusRings> torusRings(const Topology& topology, const TorusRoutes& torus, const DeviceGroup& group) {
  TorusRings rings;
  std::size_t product = 1;
  for (std::size_t network = 0; network < torus.sizes().size(); ++network) {
    const auto line = lineOf(torus, group, network);
    if (!line) return std::nullopt;
    product *= static_cast<std::size_t>(line->members);
    if (line->members > 1) rings.lines.push_back(*line);
  }
  if (product != group.size()) return std::nullopt;
  if (rings.lines.empty()) return rings;
  const double link = topology.bandwidth(torus.linkAt(0));
  std::stable_sort(rings.lines.begin(), rings.lines.end(), [&](const TorusRings::Line& a, const TorusRings::Line& b) {
    return bandwidthAlong(a, link) < bandwidthAlong(b, link);
  });
  double gathered = 1 / static_cast<double>(group.size());
  double bandwidth = 0;
  for (const TorusRings::Line& line : rings.lines) {
    rings.gatherSeconds += gathered * (line.members - 1) / bandwidthAlong(line, link);
    gathered *= line.members;
    bandwidth += bandwidthAlong(line, link);
  }
  // Other parts of the vector take the rings in another order, and use those that are idle here.
  rings.gatherSeconds *= bandwidthAlong(rings.lines.back(), link) / bandwidth;
  return rings;
}

}  // namespace p2::inline cost
