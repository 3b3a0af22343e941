// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>

#include "base/device.h"
#include "collective/collective_traits.h"
#include "cost/detail/library_view.h"
#include "system/topology.h"

namespace p2::inline cost {

/// NCCL's PXN: a send to another node first goes over NVLink to the device of the sender's host that has the receiver's
/// place there, and leaves by that device's NIC. Where NIC i of every node is on rail i, it stays on the receiver's
/// rail and needs no spine. Source: ncclTopoGetNetDev() in NCCL's src/graph/search.cc from v2.12.7-1 on, with the
/// default of NCCL_P2P_PXN_LEVEL. RCCL has it switched off (ROCm/rccl#1209).
class RailRelays {
 public:
  /// Both must outlive it.
  RailRelays(const Topology& topology, const LibraryView& machine);
  /// For the messages of a shape; none where it does not keep to rails, or nothing is relayed.
  [[nodiscard]] static std::optional<RailRelays> of(FlowShape shape, const Topology& topology,
                                                    const LibraryView& machine);

  /// Whether the library relays messages at all: it has PXN (NcclFeature::Relays, Library::pxn), NVLink joins the
  /// devices of a node, and NICs are drawn.
  [[nodiscard]] bool any() const { return m_any; }

  /// The device that a message of a communicator goes by; `from` where it takes its own way: inside a node, where the
  /// communicator has no device at the receiver's place (`isMember`), where that device leaves the node by the same
  /// link, or where the way to it is no NVLink. O(length of three routes).
  template <class IsMember>
  [[nodiscard]] Device relayOf(Device from, Device to, const IsMember& isMember) const {
    const Device relay = candidate(from, to);
    return relay != from && isMember(relay) && leadsToOtherLink(from, relay, to) ? relay : from;
  }

 private:
  [[nodiscard]] Device candidate(Device from, Device to) const;
  [[nodiscard]] bool leadsToOtherLink(Device from, Device relay, Device to) const;
  [[nodiscard]] LinkId linkOutOfNode(Device from, Device to) const;

  const Topology& m_topology;
  std::int64_t m_node;
  std::int64_t m_host;
  bool m_any;
};

/// Whether a device belongs to a group in device order, which must outlive the result. O(log members).
[[nodiscard]] inline auto membersOf(const DeviceGroup& group) {
  return [&group](Device device) { return std::binary_search(group.begin(), group.end(), device); };
}

}  // namespace p2::inline cost
