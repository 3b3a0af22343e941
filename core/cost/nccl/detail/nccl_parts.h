// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost: the parts of a price of the nccl model.
#pragma once

#include <algorithm>

#include "cost/nccl/detail/nccl_model.h"

namespace p2::inline cost {

/// The busiest links inside nodes and between them, in seconds at their nominal bandwidth.
struct NcclModel::Moving {
  double inside = 0;
  double across = 0;
  double nic = 1;   ///< bytes/s of the busiest link between nodes
  double flow = 0;  ///< bytes on a flow of weight 1
  double most = 0;  ///< as `flow`, for the group with the largest vector
  LinkLoad busiest;
};

/// Shares of the nominal bandwidth inside nodes and between them.
struct NcclModel::Shares {
  double inside = 1;
  double across = 1;
  double protocol = 1;  ///< share of the protocol, included in both
};

struct NcclModel::Waiting {
  double seconds = 0;
  double ramp = 0;  ///< seconds that count in the third term
};

/// As the links say, or with the site's own hop between nodes.
[[nodiscard]] inline ChannelPath sitePathOf(const Traffic& traffic) {
  ChannelPath path = traffic.path;
  const double hop = traffic.machine->hop;
  if (hop <= 0 || traffic.nodes == 1) return path;
  path.slowest = hop;
  path.across = hop * static_cast<double>(traffic.nodes - 1);
  return path;
}

/// Whether what carries the traffic between nodes, or inside them, adds up what arrives.
[[nodiscard]] inline bool hasReducing(const Traffic& traffic, bool across) {
  const LibraryView& machine = *traffic.machine;
  bool any = false;
  for (const LinkLoad& load : traffic.loads) {
    if (machine.across[load.interconnect] != across || machine.passes[load.interconnect]) continue;
    if (!machine.reduces[load.interconnect]) return false;
    any = true;
  }
  return any;
}

/// Whether CollNet takes the sum along chains inside nodes, where their switches do not add up.
[[nodiscard]] inline bool isChainedInside(const Traffic& traffic) {
  return traffic.algorithm == Algorithm::CollNet && !hasReducing(traffic, false);
}

/// The constant for the share of the nominal bandwidth that is used between nodes.
[[nodiscard]] inline NcclConstant acrossShareConstant(const LibraryView& machine) {
  if (machine.hostLinked) return NcclConstant::AcrossShareHost;
  // Slingshot's machines with A100s have no PCIe switches, so that every byte goes through the processor (PCIe 4).
  if (machine.network == NetworkKind::Slingshot && machine.generation == Generation::Ampere)
    return NcclConstant::AcrossShareRoot;
  return constantOf(NcclConstant::AcrossShareFirst, machine.network);
}

/// Devices of a group in each of its nodes, at least one.
[[nodiscard]] inline std::int64_t localMembers(const Traffic& traffic) {
  return std::max<std::int64_t>(1, traffic.members / traffic.nodes);
}

}  // namespace p2::inline cost
