// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/torus_routes.h"

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
  if (!made->findSteps()) return nullptr;
  for (std::size_t network = 0; network < system.networks.size(); ++network) {
    if (!made->findPlaces(network)) return nullptr;
  }
  if (!made->isProduct()) return nullptr;
  made->listLinks();
  made->m_hasLatencies =
      std::any_of(made->m_latencies.begin(), made->m_latencies.end(), [](double latency) { return latency > 0; });
  return made;
}

/// By device the links that leave it: two of every network, all as wide, the lower links of the first network.
bool TorusRoutes::findSteps() {
  const System& system = m_graph.system();
  const std::vector<LinkGraph::Link>& links = m_graph.links();
  m_devices = static_cast<std::size_t>(system.deviceCount());
  m_sizes.assign(system.networks.size(), 0);
  m_latencies.assign(system.networks.size(), -1);
  const std::size_t each = 2 * m_sizes.size();
  if (links.size() != m_devices * each) return false;
  m_steps.resize(links.size());
  m_networks.reserve(links.size());
  std::vector<std::size_t> count(m_devices, 0);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkGraph::Link& link = links[i];
    const bool onRing = link.owner.kind == Place::Kind::Network && isDevice(system, link.from) &&
                        isDevice(system, link.to) && link.bandwidth == links.front().bandwidth;
    const auto from = static_cast<std::size_t>(link.from.instance);
    if (!onRing || count[from] == each || count[from] / 2 != link.owner.index) return false;
    double& latency = m_latencies[link.owner.index];
    if (latency < 0) latency = link.latency;
    if (latency != link.latency) return false;
    m_networks.push_back(static_cast<std::uint32_t>(link.owner.index));
    m_steps[from * each + count[from]++] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(link.to.instance),
                                            link.role == LinkGraph::Role::Next};
  }
  return true;
}

/// Goes round every ring of a network once. False where rings differ in size or a device stands in none.
bool TorusRoutes::findPlaces(std::size_t network) {
  m_stands.resize(m_devices * (network + 1));
  std::int32_t ring = 0;
  for (std::size_t first = 0; first < m_devices; ++first) {
    std::int32_t size = 0;
    for (std::size_t at = first; standOf(at, network).place < 0;) {
      m_stands[network * m_devices + at] = {ring, size++};
      m_deviceAt.push_back(static_cast<std::int32_t>(at));
      const auto steps = stepsOf(at, network);
      if (steps[0].forward == steps[1].forward) return false;
      at = static_cast<std::size_t>(steps[0].forward ? steps[0].to : steps[1].to);
    }
    if (size > 0 && m_sizes[network] > 0 && size != m_sizes[network]) return false;
    if (size > 0) m_sizes[network] = size;
    ring += size;
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
    for (std::size_t own = 0; own < m_sizes.size(); ++own) {
      for (const Step& step : stepsOf(from, own)) {
        const auto to = static_cast<std::size_t>(step.to);
        for (std::size_t network = 0; network < m_sizes.size(); ++network) {
          const std::int32_t size = m_sizes[network];
          const std::int32_t moved = network != own ? 0 : step.forward ? 1 : size - 1;
          if ((standOf(from, network).place + moved) % size != standOf(to, network).place) return false;
        }
      }
    }
  }
  return true;
}

void TorusRoutes::listLinks() {
  m_links.resize(m_steps.size());
  for (std::size_t network = 0; network < m_sizes.size(); ++network) {
    for (std::size_t device = 0; device < m_devices; ++device) {
      const Stand& stand = standOf(device, network);
      for (const Step& step : stepsOf(device, network)) {
        const std::int32_t place = step.forward ? stand.place : m_sizes[network] - 1 - stand.place;
        const std::size_t begin = (2 * network + (step.forward ? 0 : 1)) * m_devices;
        m_links[begin + static_cast<std::size_t>(stand.ring + place)] = LinkId(step.link);
      }
    }
  }
  std::size_t begin = 0;
  for (const std::int32_t size : m_sizes) {
    const std::size_t both = begin + 2 * m_devices;
    for (; begin < both; begin += static_cast<std::size_t>(size))
      m_rings.push_back({begin, begin + static_cast<std::size_t>(size)});
  }
}

// Every device stands in a ring of the whole system, so no instance keeps a message out. Half a ring is as far either
// way: the lower link is taken then.
TorusRoutes::Run TorusRoutes::runOf(std::size_t network, std::size_t& at, std::size_t to) const {
  const std::int32_t size = m_sizes[network];
  const Stand& from = standOf(at, network);
  const std::int32_t target = standOf(to, network).place;
  if (target == from.place) return {};
  const std::int32_t ahead = target < from.place ? target - from.place + size : target - from.place;
  const bool forward = 2 * ahead == size ? stepsOf(at, network)[0].forward : 2 * ahead < size;
  Run run;
  run.ring = (2 * network + (forward ? 0 : 1)) * m_devices + static_cast<std::size_t>(from.ring);
  run.size = size;
  run.first = forward ? from.place : size - 1 - from.place;
  run.count = forward ? ahead : size - ahead;
  run.latency = static_cast<double>(run.count) * m_latencies[network];
  at = static_cast<std::size_t>(m_deviceAt[network * m_devices + static_cast<std::size_t>(from.ring + target)]);
  return run;
}

std::vector<LinkId> TorusRoutes::route(Device from, Device to) const {
  std::vector<LinkId> links;
  eachRun(from, to, [&](const Run& run) {
    for (std::int32_t i = run.first; i < run.first + run.count; ++i)
      links.push_back(m_links[run.ring + static_cast<std::size_t>(i < run.size ? i : i - run.size)]);
  });
  return links;
}

double TorusRoutes::routeLatency(Device from, Device to) const {
  double sum = 0;
  eachRun(from, to, [&](const Run& run) { sum += run.latency; });
  return sum;
}

TorusRoutes::Ring TorusRoutes::ringOf(Device device, std::size_t network, bool forward) const {
  const std::size_t begin =
      (2 * network + (forward ? 0 : 1)) * m_devices + static_cast<std::size_t>(standOf(device.index(), network).ring);
  return {begin, begin + static_cast<std::size_t>(m_sizes[network])};
}

}  // namespace p2::inline system
