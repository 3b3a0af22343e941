// SPDX-License-Identifier: GPL-3.0-or-later
#include "system/detail/connections.h"

#include <vector>

namespace p2::inline system {
namespace {

using Vertex = LinkGraph::Vertex;
using Reached = std::vector<bool>;

/// The vertices reachable from a vertex, or those from which it is reachable.
Reached reach(const LinkGraph& graph, Vertex start, bool forwards) {
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

/// Whether every device reaches the vertex and is reached from it.
bool joinsAll(const LinkGraph& graph, IdRange<Device> devices, Vertex vertex) {
  const Reached onwards = reach(graph, vertex, true);
  const Reached back = reach(graph, vertex, false);
  for (const Device device : devices) {
    if (!onwards[static_cast<std::size_t>(graph.wayIn(device))]) return false;
    if (!back[static_cast<std::size_t>(graph.wayOut(device))]) return false;
  }
  return true;
}

}  // namespace

std::optional<std::pair<Device, Device>> unconnectedPair(const LinkGraph& graph) {
  const IdRange<Device> devices(graph.system().deviceCount());
  if (devices.size() == 1) return {};
  // A hub that leads from the first device to the last is most likely one that joins all.
  const Reached onwards = reach(graph, graph.wayOut(Device(0)), true);
  const Reached back = reach(graph, graph.wayIn(Device(devices.size() - 1)), false);
  for (Vertex vertex = 0, tried = 0; vertex < graph.vertexCount() && tried < 4; ++vertex) {
    const auto at = static_cast<std::size_t>(vertex);
    const bool passed = !graph.entering(vertex).empty() || !graph.joinedFrom(vertex).empty();
    if (!onwards[at] || !back[at] || !passed || graph.leaving(vertex).empty()) continue;
    if (joinsAll(graph, devices, vertex)) return {};
    ++tried;
  }
  for (const Device from : devices) {
    const Reached reached = reach(graph, graph.wayOut(from), true);
    for (const Device to : devices) {
      if (from != to && !reached[static_cast<std::size_t>(graph.wayIn(to))]) return std::pair{from, to};
    }
  }
  return {};
}

}  // namespace p2::inline system
