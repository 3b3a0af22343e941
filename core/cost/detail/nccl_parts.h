// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost: the parts of a price of the nccl model.
#pragma once

#include <algorithm>

#include "cost/detail/nccl_model.h"

namespace p2::inline cost {

/// The busiest links inside nodes and between them, in seconds at their nominal bandwidth.
struct NcclModel::Moving {
  double inside = 0;
  double across = 0;
  double nic = 1;   ///< bytes/s of the busiest link between nodes
  double flow = 0;  ///< bytes on a flow of weight 1
  double most = 0;  ///< the same of the group that works on the most
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

/// Devices of a group in each of its nodes, at least one.
[[nodiscard]] inline std::int64_t localMembers(const Traffic& traffic) {
  return std::max<std::int64_t>(1, traffic.members / traffic.nodes);
}

}  // namespace p2::inline cost
