// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "cost/cost_options.h"
#include "placement/placement.h"
#include "system/topology.h"

namespace p2::inline cost {

class CutSurvey;

/// The time below which no program can be.
struct LowerBound {
  double seconds = 0;  ///< seconds of all repeats, as the cost options say
  std::string where;   ///< what sets it: "node 0 to data-centre network"; empty if nothing has to move
  friend bool operator==(const LowerBound&, const LowerBound&) = default;
};

/// Devices up to which all cuts of a drawn system are looked at.
inline constexpr std::int64_t kMostFlowDevices = 64;

/// Lower bound of the time in which the reduction groups of a placement can perform a collective
/// all at once, in any steps and over any routes: the data that must cross the border of a part
/// of the system, over the bandwidth of the links that leave it (cut bound; ForestColl, arXiv
/// 2402.06787). The maximum over all examined parts; never a sum, since different parts can be
/// busy at the same time. Without latencies and fixed costs of steps, so it holds with any, and
/// for overlapping steps. For an AllReduce: one vector out of and into every part, and 2(k − 1)
/// vectors in total between k parts that hold all members. If all parts have the same bandwidth,
/// the latter is the sum of the bounds of ReduceScatter and AllGather, 2(n − p)/n for a part
/// with p of n members. If one is slower than the others, that sum is no bound: under `tree` it
/// can be a leaf, which sends and receives only one vector. If a switch between the parts
/// reduces (Interconnect::reduces), no more than one vector in each direction per part: k out
/// and k in. In closed form if the topology is uniform, O(levels), and O(count²) for a ring.
/// Otherwise every instance of every level and network, and all of a kind together, O((vertices
/// + links) · (levels + networks)); up to kMostFlowDevices also every other cut that separates
/// one member of each group, by maximum flows (not for a Scatter). Zero for groups of one
/// device.
[[nodiscard]] LowerBound placementLowerBound(const Topology& topology, const Placement& placement,
                                             Collective collective, const CostOptions& options);

/// placementLowerBound() of several placements for one collective: cuts of a large system are found once.
class PlacementLowerBounds {
 public:
  /// The topology must outlive it.
  PlacementLowerBounds(const Topology& topology, Collective collective);
  ~PlacementLowerBounds();
  [[nodiscard]] LowerBound of(const Placement& placement, const CostOptions& options);

 private:
  const Topology& m_topology;
  Collective m_collective;
  std::unique_ptr<CutSurvey> m_survey;
};

/// A time as a multiple of the lower bound: "1.04× the lower bound". Empty if the bound is zero.
[[nodiscard]] std::string timesLowerBound(double seconds, const LowerBound& limit);
/// Whether a time is at most 5 % above the lower bound, so that no program is much faster.
[[nodiscard]] bool isAtLowerBound(double seconds, const LowerBound& limit);

}  // namespace p2::inline cost
