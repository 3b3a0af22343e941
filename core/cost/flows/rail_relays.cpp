// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/flows/rail_relays.h"

#include <algorithm>
#include <vector>

#include "cost/nccl/nccl_versions.h"

namespace p2::inline cost {

RailRelays::RailRelays(const Topology& topology, const LibraryView& machine)
    : m_topology(topology),
      m_node(machine.nodeDevices),
      m_host(machine.hostDevices),
      m_any(machine.pxn && topology.linkGraph() != nullptr && topology.torus() == nullptr && machine.nics > 1 &&
            machine.hostDevices > 1 && !machine.hostLinked && !isAmd(machine.generation) &&
            ncclHas(NcclFeature::Relays, machine)) {}

std::optional<RailRelays> RailRelays::of(FlowShape shape, const Topology& topology, const LibraryView& machine) {
  if (!keepsToRails(shape)) return {};
  const RailRelays relays(topology, machine);
  return relays.any() ? std::optional(relays) : std::nullopt;
}

Device RailRelays::candidate(Device from, Device to) const {
  if (!m_any || from.value() / m_node == to.value() / m_node) return from;
  const std::int64_t host = from.value() - from.value() % m_node % m_host;
  return Device(host + to.value() % m_node % m_host);
}

bool RailRelays::leadsToOtherLink(Device from, Device relay, Device to) const {
  if (linkOutOfNode(from, to) == linkOutOfNode(relay, to)) return false;
  std::vector<LinkId> links;
  m_topology.route(from, relay, links);
  return std::all_of(links.begin(), links.end(),
                     [&](LinkId link) { return m_topology.bandwidth(link) > kFastestHostLink; });
}

/// The first link of a route that stands around the sender's node.
LinkId RailRelays::linkOutOfNode(Device from, Device to) const {
  std::vector<LinkId> links;
  m_topology.route(from, to, links);
  const auto leaves = [&](LinkId link) {
    const DeviceRange& within = m_topology.linkGraph()->link(link).within;
    return within.last - within.first > m_node;
  };
  const auto found = std::find_if(links.begin(), links.end(), leaves);
  return found == links.end() ? LinkId() : *found;
}

}  // namespace p2::inline cost
