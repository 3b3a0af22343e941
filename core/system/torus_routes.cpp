// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/torus_routes.h"

#include <algorithm>

namespace p2::inline system {
namespace {

bool isDevice(const System& system, const Place& place) {
  return place.kind == Place::Kind::Level && place.index + 1 == system.levels.size();
}

}  // namespace

std::unique_ptr<TorusRoutes> TorusRoutes::of(const LinkGraph& graph) {
  const System& system = graph.system();
  const bool rings = system.networks.size() > 1 && graph.relaysOut().empty() && graph.relaysIn().empty() &&
                     std::all_of(system.networks.begin(), system.networks.end(), [](const Network& network) {
                       return network.interconnect.kind == InterconnectKind::Ring && network.interconnect.forwards;
                     });
  if (!rings) return nullptr;
  std::unique_ptr<TorusRoutes> made(new TorusRoutes(graph));
  if (!made->findSteps() || !made->findPlaces() || !made->isProduct()) return nullptr;
  return made;
}

/// By device the links that leave it: two of every network, all as wide.
bool TorusRoutes::findSteps() {
  const System& system = m_graph.system();
  const std::vector<LinkGraph::Link>& links = m_graph.links();
  m_devices = static_cast<std::size_t>(system.deviceCount());
  m_sizes.assign(system.networks.size(), 0);
  const std::size_t each = 2 * m_sizes.size();
  if (links.size() != m_devices * each) return false;
  m_steps.resize(links.size());
  std::vector<std::size_t> count(m_devices, 0);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkGraph::Link& link = links[i];
    const bool onRing = link.owner.kind == Place::Kind::Network && isDevice(system, link.from) &&
                        isDevice(system, link.to) && link.bandwidth == links.front().bandwidth;
    const auto from = static_cast<std::size_t>(link.from.instance);
    if (!onRing || count[from] == each) return false;
    m_steps[from * each + count[from]++] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(link.to.instance),
                                            static_cast<std::int32_t>(link.owner.index),
                                            link.role == LinkGraph::Role::Next};
  }
  return true;
}

bool TorusRoutes::findPlaces() {
  m_places.assign(m_devices * m_sizes.size(), -1);
  for (std::size_t network = 0; network < m_sizes.size(); ++network) {
    if (!findPlacesOf(network)) return false;
  }
  return true;
}

/// Goes round every ring of a network once. False where rings differ in size or a device stands in none.
bool TorusRoutes::findPlacesOf(std::size_t network) {
  for (std::size_t first = 0; first < m_devices; ++first) {
    std::int32_t size = 0;
    for (std::size_t at = first; placeOf(at, network) < 0;) {
      m_places[at * m_sizes.size() + network] = size++;
      const auto steps = stepsFrom(at);
      const auto next = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
        return step.forward && step.network == static_cast<std::int32_t>(network);
      });
      if (next == steps.end()) return false;
      at = static_cast<std::size_t>(next->to);
    }
    if (size > 0 && m_sizes[network] > 0 && size != m_sizes[network]) return false;
    if (size > 0) m_sizes[network] = size;
  }
  return true;
}

/// Whether a step changes one place only, by one, and the sizes multiply to the devices: the places then name each
/// device.
bool TorusRoutes::isProduct() const {
  std::int64_t devices = 1;
  for (const std::int32_t size : m_sizes) devices *= size;
  if (devices != static_cast<std::int64_t>(m_devices)) return false;
  for (std::size_t from = 0; from < m_devices; ++from) {
    for (const Step& step : stepsFrom(from)) {
      for (std::size_t network = 0; network < m_sizes.size(); ++network) {
        const std::int32_t size = m_sizes[network];
        const bool own = step.network == static_cast<std::int32_t>(network);
        const std::int32_t moved = own ? (step.forward ? 1 : size - 1) : 0;
        const std::int32_t to = placeOf(static_cast<std::size_t>(step.to), network);
        if ((placeOf(from, network) + moved) % size != to) return false;
      }
    }
  }
  return true;
}

// Every device stands in a ring of the whole system, so no instance keeps a message out.
std::vector<LinkId> TorusRoutes::route(Device from, Device to) const {
  std::vector<std::int32_t> left(m_sizes.size());  // steps forward, by network
  std::int32_t most = 0;
  for (std::size_t network = 0; network < m_sizes.size(); ++network) {
    const std::int32_t size = m_sizes[network];
    left[network] = (placeOf(to.index(), network) - placeOf(from.index(), network) + size) % size;
    most += std::min(left[network], size - left[network]);
  }
  std::vector<LinkId> links;
  links.reserve(static_cast<std::size_t>(most));
  for (std::size_t at = from.index(); at != to.index();) {
    const auto steps = stepsFrom(at);
    const auto nearer = [&](const Step& step) {
      const auto network = static_cast<std::size_t>(step.network);
      const std::int32_t twice = 2 * left[network];
      return twice > 0 && (step.forward ? twice <= m_sizes[network] : twice >= m_sizes[network]);
    };
    const Step& next = *std::find_if(steps.begin(), steps.end(), nearer);
    std::int32_t& own = left[static_cast<std::size_t>(next.network)];
    own += next.forward ? -1 : 1;
    if (own == m_sizes[static_cast<std::size_t>(next.network)]) own = 0;
    links.emplace_back(next.link);
    at = static_cast<std::size_t>(next.to);
  }
  return links;
}

}  // namespace p2::inline system
