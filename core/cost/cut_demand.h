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

/// What crosses the borders of k parts in sum, if the members lie in these and in nothing else.
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

/// A time that no way of doing something can go below, for a vector of one byte, and what sets it.
struct LeastTime {
  double seconds = 0;
  std::string where;  ///< "node 0 to data-centre network"
};

}  // namespace p2
