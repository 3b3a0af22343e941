// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "cost/cost_options.h"
#include "placement/placement.h"
#include "system/topology.h"

namespace p2 {

/// The time below which no program can be.
struct Limit {
  double seconds = 0;  ///< of all repeats, as the cost options say
  std::string where;   ///< what sets it: "node 0 to data-centre network"; empty if nothing has to move
  friend bool operator==(const Limit&, const Limit&) = default;
};

/// Devices up to which all cuts of a drawn system are looked at.
inline constexpr std::int64_t kMostFlowDevices = 64;

/// How long the reduction groups of a placement need at least to perform a collective all at once, in whatever steps,
/// over whatever ways: what has to cross the border of a part of the system, over the bandwidth of the links that lead
/// out of it (cut bound; ForestColl, arXiv 2402.06787). The largest such time over all parts that are looked at; of
/// different parts never the sum, since they can be busy at the same time. Latencies and fixed costs of steps are left
/// out, so it holds with any, and steps may overlap.
///
/// Of an AllReduce: one vector out of and into every part, and 2(k − 1) vectors in sum between k parts that hold all
/// members. Where all parts have the same bandwidth the latter is the sum of the limits of ReduceScatter and AllGather,
/// 2(n − p)/n for a part with p of n members. Where one is slower than the others that sum is no bound: under `tree` it
/// can be a leaf, which sends and receives one vector only. Where a switch between the parts adds up what arrives
/// (Interconnect::reduces), no more than the vector each way of every part: k out and k in.
///
/// In closed form if the topology is uniform, O(levels), and O(count²) for a ring. In others every instance of every
/// level and network, and all of a kind together, O((vertices + links) · (levels + networks)); up to kMostFlowDevices
/// also every other cut that separates one member of each group, by maximum flows (not of a Scatter). Zero for groups
/// of one device.
[[nodiscard]] Limit limitOf(const Topology& topology, const Placement& placement, Collective collective,
                            const CostOptions& options);

/// How many times the limit something takes, as people say it: "1.04× the limit". Empty if the limit is zero.
[[nodiscard]] std::string timesTheLimit(double seconds, const Limit& limit);
/// Whether what takes so long is so near the limit that nothing is left to be found: at most 5 % above it.
[[nodiscard]] bool isAtLimit(double seconds, const Limit& limit);

}  // namespace p2
