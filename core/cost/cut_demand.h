// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "collective/collective.h"

namespace p2 {

/// What has to cross the border of a part of a system, per byte of the vector.
struct CutDemand {
  double out = 0;
  double in = 0;
};

/// What a group of that many members that performs a collective cannot do without, if `inside` of them lie in the part,
/// its root among them or not. A sum of contributions counts once, however many it has. Nothing if all or none lie
/// there.
///
/// Of an AllReduce one vector each way: the others need what the members inside add, and these need what the others
/// add. A ring sends 2(n−1)/n of it, but that is no bound for a part alone: a leaf of a tree sends and receives one
/// vector.
[[nodiscard]] CutDemand demandOf(Collective collective, std::int64_t members, std::int64_t inside, bool root);

/// Of members that a ReduceScatter deals a sum out to, in shards of the same size, each perhaps to several of them.
struct ShardCut {
  std::int64_t shards = 1;   ///< in all
  std::int64_t inside = 0;   ///< those that members in the part end with
  std::int64_t outside = 0;  ///< those that members out of it end with
};

/// The same of such a ReduceScatter, some members being in the part and some out of it: each side lacks what the other
/// adds to the shards that it ends with. With a shard for every member that is a ReduceScatter, with one for all an
/// AllReduce.
[[nodiscard]] CutDemand demandOf(const ShardCut& cut);

/// What crosses the borders of k parts in sum, if the members are in these and in nothing else.
///
/// From part to part k − 1 vectors to bring a sum to one part or a piece to all, 2(k − 1) for an AllReduce: until the
/// first part has the sum of some byte, each of the others has sent at least once, and from then on each of them
/// receives at least once.
///
/// If switches between the parts can add up what arrives and copy what leaves, no more than demandOf() of each part: a
/// sum leaves the switch once, however many messages it is of. Of an AllReduce that is k vectors out and k in, of a
/// ReduceScatter k − 1 out and one in, of an AllGather one out and k − 1 in.
///
/// Nothing of an AllToAll and of a Scatter, whose blocks have one taker each: in sum the parts need what each of them
/// needs, which is demandOf().
[[nodiscard]] CutDemand crossingsOf(Collective collective, std::int64_t parts, bool switchesReduce);

/// The same of a ReduceScatter in shards that are in `holders` parts on average: k − 1 vectors to bring every shard's
/// sum to one of its parts, and holders − 1 from there to the others. Of switches that add up nothing is said here:
/// there the parts need in sum what each of them needs.
[[nodiscard]] CutDemand shardCrossingsOf(std::int64_t parts, double holders);

/// A time that no way of doing something can go below, for a vector of one byte, and what sets it.
struct LeastTime {
  double seconds = 0;
  std::string where;  ///< "node 0 to data-centre network"
};

}  // namespace p2
