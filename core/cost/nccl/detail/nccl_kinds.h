// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/cost: the cases that the nccl model distinguishes.
#pragma once

#include "collective/collective_traits.h"
#include "cost/cost_options.h"

namespace p2::inline cost {

[[nodiscard]] inline bool isOneWay(Collective collective) {
  return collective == Collective::ReduceScatter || collective == Collective::AllGather;
}

/// Most members of an AllGather or ReduceScatter by multicast: NCCL_MAX_NVLS_ARITY, which v2.25.1-1 to v2.30.7-1 check.
inline constexpr std::int64_t kMostOneWayMulticast = 32;

[[nodiscard]] inline bool isChain(Collective collective) {
  return collective == Collective::Reduce || collective == Collective::Broadcast;
}

[[nodiscard]] inline bool isMulticast(Algorithm algorithm) {
  return algorithm == Algorithm::Nvls || algorithm == Algorithm::NvlsTree || algorithm == Algorithm::CollNet;
}

/// Whether it is a group of sends and receives.
[[nodiscard]] inline bool isDirect(Collective collective) { return isDirect(traitsOf(collective).shape); }

}  // namespace p2::inline cost
