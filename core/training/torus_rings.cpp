// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/detail/torus_rings.h"

#include <algorithm>
#include <vector>

#include "system/torus_routes.h"

namespace p2::inline training {
namespace {

/// The place of a group on the rings of one network.
struct Axis {
  std::size_t members = 1;
  double bandwidth = 0;  ///< bytes/s at which a member receives along it; groups on the same ring share its links
};

/// The members of a group on a ring of the network; none where their distances differ.
std::optional<Axis> axisOf(const Topology& topology, const TorusRoutes& torus, const DeviceGroup& group,
                           std::size_t network) {
  const auto size = static_cast<std::size_t>(torus.sizes()[network]);
  std::vector<bool> taken(size);
  for (const Device device : group) taken[static_cast<std::size_t>(torus.placeOf(device, network))] = true;
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < size; ++place) {
    if (taken[place]) places.push_back(place);
  }
  if (places.size() == 1) return Axis{};
  const std::size_t stride = places[1] - places[0];
  for (std::size_t i = 2; i < places.size(); ++i) {
    if (places[i] - places[i - 1] != stride) return std::nullopt;
  }
  // Every device in between belongs to a group that sends over the same links.
  const double link = topology.bandwidth(torus.linkAt(torus.ringOf(group.front(), network, true).begin));
  const bool isClosed = stride * places.size() == size;
  return Axis{places.size(), link * (isClosed ? 2 : 1) / static_cast<double>(stride)};
}

}  // namespace

std::optional<double> torusGatherSeconds(const Topology& topology, const TorusRoutes& torus, const DeviceGroup& group) {
  std::vector<Axis> axes;
  std::size_t product = 1;
  for (std::size_t network = 0; network < torus.sizes().size(); ++network) {
    const auto axis = axisOf(topology, torus, group, network);
    if (!axis) return std::nullopt;
    product *= axis->members;
    if (axis->members > 1) axes.push_back(*axis);
  }
  if (product != group.size()) return std::nullopt;
  if (axes.empty()) return 0;
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.bandwidth < b.bandwidth; });
  double gathered = 1 / static_cast<double>(group.size());
  double seconds = 0;
  double bandwidth = 0;
  for (const Axis& axis : axes) {
    const auto members = static_cast<double>(axis.members);
    seconds += gathered * (members - 1) / axis.bandwidth;
    gathered *= members;
    bandwidth += axis.bandwidth;
  }
  // Other parts of the vector take the rings in another order, and use those that are idle here.
  return seconds * axes.back().bandwidth / bandwidth;
}

}  // namespace p2::inline training
