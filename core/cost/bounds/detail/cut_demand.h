// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "collective/collective.h"

namespace p2::inline cost {

/// Vectors that must cross the border of a part of a system, per byte of the vector.
struct CutDemand {
  double out = 0;
  double in = 0;
};

/// Minimum traffic of a group of that size for a collective, if
/// `inside` of its members are in the part, the root among them or not.
/// A sum of contributions counts once. None if all or none are
/// inside. For an AllReduce one vector in each direction: each side
/// needs the sum of the other. A ring sends 2(n−1)/n of it, but that is
/// no bound for a single part: a leaf of a tree sends and receives one
/// vector.
[[nodiscard]] CutDemand demandOf(Collective collective, std::int64_t members, std::int64_t inside, bool root);

/// Members of a ReduceScatter on one side of a cut: shards of equal size, each held by one or more members.
struct ShardCut {
  std::int64_t shards = 1;   ///< in all
  std::int64_t inside = 0;   ///< those that members in the part end with
  std::int64_t outside = 0;  ///< those that members out of it end with
};

/// As above for such a ReduceScatter, with members on both sides: each side needs the other's
/// contributions to its shards. With a shard per member this is a ReduceScatter, with one for all an
/// AllReduce.
[[nodiscard]] CutDemand demandOf(const ShardCut& cut);

/// Total traffic across the borders of k parts that hold all
/// members. From part to part k − 1 vectors bring a sum to one
/// part or a piece to all, 2(k − 1) for an AllReduce: until the
/// first part has the sum of some byte, each of the others has
/// sent at least once, and from then on each of them receives at
/// least once. If switches between the parts can reduce and
/// multicast, no more than demandOf() of each part: a sum leaves
/// the switch once. For an AllReduce that is k vectors out and k
/// in, for a ReduceScatter k − 1 out and one in, for an AllGather
/// one out and k − 1 in. None for an AllToAll and a Scatter,
/// whose blocks have one receiver each: the total is then the sum
/// of demandOf().
[[nodiscard]] CutDemand crossingsOf(Collective collective, std::int64_t parts, bool switchesReduce);

/// As above for a ReduceScatter in shards that are in `holders` parts on average: k − 1 vectors bring every shard's sum
/// to one of its parts, and holders − 1 from there to the others. Not for reducing switches, where the total is the sum
/// of the parts' demands.
[[nodiscard]] CutDemand shardCrossingsOf(std::int64_t parts, double holders);

/// Lower bound of a time, for a vector of one byte, and the links that set it.
struct LeastTime {
  double seconds = 0;
  std::string where;  ///< "node 0 to data-centre network"
};

}  // namespace p2::inline cost
