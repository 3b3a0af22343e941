// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/relays.h"

#include <algorithm>
#include <vector>

#include "system/detail/connections.h"

namespace p2::inline system {
namespace {

using Vertex = LinkGraph::Vertex;

constexpr int kMostHubs = 8;

/// Whether each device reaches the hub, and is reached from it.
struct Reach {
  std::vector<bool> out;
  std::vector<bool> in;
  std::int64_t joined = 0;
};

Reach reachOf(const LinkGraph& graph, Vertex hub) {
  const std::vector<bool> onwards = reachedFrom(graph, hub, true);
  const std::vector<bool> back = reachedFrom(graph, hub, false);
  Reach reach;
  for (const Device device : IdRange<Device>(graph.system().deviceCount())) {
    reach.out.push_back(back[static_cast<std::size_t>(graph.wayOut(device))]);
    reach.in.push_back(onwards[static_cast<std::size_t>(graph.wayIn(device))]);
    if (reach.out.back() && reach.in.back()) ++reach.joined;
  }
  return reach;
}

/// The hub of the whole system, or of an outer level, that joins the most devices.
Reach bestReach(const LinkGraph& graph) {
  const std::int64_t devices = graph.system().deviceCount();
  Reach best;
  int tried = 0;
  for (Vertex vertex = graph.vertexCount(); vertex-- > 0 && tried < kMostHubs && best.joined < devices;) {
    if (graph.within(vertex) != DeviceRange{0, devices}) continue;
    if (graph.entering(vertex).empty() || graph.leaving(vertex).empty()) continue;
    ++tried;
    Reach reach = reachOf(graph, vertex);
    if (reach.joined > best.joined) best = std::move(reach);
  }
  return best;
}

std::map<Device, Device> relayed(const std::vector<bool>& works, std::int64_t node) {
  std::map<Device, Device> relays;
  const auto devices = static_cast<std::int64_t>(works.size());
  for (std::int64_t first = 0; first < devices; first += node) {
    std::vector<std::int64_t> used(static_cast<std::size_t>(node), 0);
    for (std::int64_t own = 0; own < node; ++own) {
      if (works[static_cast<std::size_t>(first + own)]) continue;
      std::int64_t chosen = -1;
      for (std::int64_t step = 1; step < node; ++step) {
        const std::int64_t other = (own + step) % node;
        if (!works[static_cast<std::size_t>(first + other)]) continue;
        const auto at = static_cast<std::size_t>(other);
        if (chosen < 0 || used[at] < used[static_cast<std::size_t>(chosen)]) chosen = other;
      }
      if (chosen < 0) continue;
      ++used[static_cast<std::size_t>(chosen)];
      relays.emplace(Device(first + own), Device(first + chosen));
    }
  }
  return relays;
}

}  // namespace

Relays relaysOf(const LinkGraph& graph) {
  const System& system = graph.system();
  const std::size_t depth = nodeDepth(system);
  if (depth == 0) return {};
  const std::int64_t node = devicesPerNode(system);
  const Reach reach = bestReach(graph);
  const std::int64_t devices = system.deviceCount();
  if (node < 2 || reach.joined == devices || 2 * reach.joined < devices) return {};
  return {relayed(reach.out, node), relayed(reach.in, node)};
}

}  // namespace p2::inline system
