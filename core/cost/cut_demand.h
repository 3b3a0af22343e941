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

/// Vectors that cross from part to part in sum, if the members lie in so many parts and in nothing else.
///
/// k − 1 to bring a sum to one part or a piece to all, 2(k − 1) for an AllReduce: until the first part has the sum of
/// some byte, each of the others has sent at least once, and from then on each of them receives at least once. Links on
/// which messages are added up on their way would halve that, to the one vector each way of demandOf().
[[nodiscard]] double crossingsOf(Collective collective, std::int64_t parts);

/// A time that no way of doing something can go below, for a vector of one byte, and what sets it.
struct LeastTime {
  double seconds = 0;
  std::string where;  ///< "node 0 to data-centre network"
};

}  // namespace p2
