// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/connections.h"

namespace p2::inline system {

std::vector<bool> reachedFrom(const LinkGraph& graph, LinkGraph::Vertex start, bool forwards) {
  using Vertex = LinkGraph::Vertex;
  using Reached = std::vector<bool>;
  Reached reached(static_cast<std::size_t>(graph.vertexCount()), false);
  std::vector<Vertex> open{start};
  reached[static_cast<std::size_t>(start)] = true;
  const auto visit = [&](Vertex vertex) {
    if (reached[static_cast<std::size_t>(vertex)]) return;
    reached[static_cast<std::size_t>(vertex)] = true;
    open.push_back(vertex);
  };
  while (!open.empty()) {
    const Vertex vertex = open.back();
    open.pop_back();
    for (const std::int32_t link : forwards ? graph.leaving(vertex) : graph.entering(vertex)) {
      visit(forwards ? graph.link(LinkId(link)).head : graph.link(LinkId(link)).tail);
    }
    for (const Vertex other : forwards ? graph.joinedTo(vertex) : graph.joinedFrom(vertex)) visit(other);
  }
  return reached;
}

namespace {

using Vertex = LinkGraph::Vertex;
using Reached = std::vector<bool>;

Vertex waysOut(const LinkGraph& graph, Device device) { return graph.wayOut(graph.relayOut(device)); }
Vertex waysIn(const LinkGraph& graph, Device device) { return graph.wayIn(graph.relayIn(device)); }

/// A device that its node does not bring to its relay.
std::optional<std::pair<Device, Device>> unrelayedPair(const LinkGraph& graph) {
  for (const auto& [device, relay] : graph.relaysOut()) {
    if (!reachedFrom(graph, graph.wayOut(device), true)[static_cast<std::size_t>(graph.wayIn(relay))]) {
      return std::pair{device, relay};
    }
  }
  for (const auto& [device, relay] : graph.relaysIn()) {
    if (!reachedFrom(graph, graph.wayIn(device), false)[static_cast<std::size_t>(graph.wayOut(relay))]) {
      return std::pair{relay, device};
    }
  }
  return {};
}

/// Whether every device reaches the vertex and is reached from it.
bool joinsAll(const LinkGraph& graph, IdRange<Device> devices, Vertex vertex) {
  const Reached onwards = reachedFrom(graph, vertex, true);
  const Reached back = reachedFrom(graph, vertex, false);
  for (const Device device : devices) {
    if (!onwards[static_cast<std::size_t>(waysIn(graph, device))]) return false;
    if (!back[static_cast<std::size_t>(waysOut(graph, device))]) return false;
  }
  return true;
}

bool isPassed(const LinkGraph& graph, Vertex vertex) {
  return (!graph.entering(vertex).empty() || !graph.joinedFrom(vertex).empty()) && !graph.leaving(vertex).empty();
}

/// The last hub that messages between any devices may pass, such as a spine.
std::optional<Vertex> outermostHub(const LinkGraph& graph) {
  const DeviceRange all{0, graph.system().deviceCount()};
  for (Vertex vertex = graph.vertexCount(); vertex-- > 0;) {
    if (graph.within(vertex) == all && isPassed(graph, vertex)) return vertex;
  }
  return {};
}

}  // namespace

std::optional<std::pair<Device, Device>> unconnectedPair(const LinkGraph& graph) {
  const IdRange<Device> devices(graph.system().deviceCount());
  if (devices.size() == 1) return {};
  if (const auto pair = unrelayedPair(graph)) return pair;
  if (const auto outermost = outermostHub(graph); outermost && joinsAll(graph, devices, *outermost)) return {};
  // A hub that leads from the first device to the last is most likely one that joins all.
  const Reached onwards = reachedFrom(graph, waysOut(graph, Device(0)), true);
  const Reached back = reachedFrom(graph, waysIn(graph, Device(devices.size() - 1)), false);
  for (Vertex vertex = 0, tried = 0; vertex < graph.vertexCount() && tried < 4; ++vertex) {
    const auto at = static_cast<std::size_t>(vertex);
    if (!onwards[at] || !back[at] || !isPassed(graph, vertex)) continue;
    if (joinsAll(graph, devices, vertex)) return {};
    ++tried;
  }
  for (const Device from : devices) {
    const Reached reached = reachedFrom(graph, waysOut(graph, from), true);
    for (const Device to : devices) {
      if (from != to && !reached[static_cast<std::size_t>(waysIn(graph, to))] && graph.relayOut(from) != to)
        return std::pair{from, to};
    }
  }
  return {};
}

}  // namespace p2::inline system
