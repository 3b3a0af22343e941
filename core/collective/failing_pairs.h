// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "collective/rules.h"

namespace p2 {

/// All the places at which a step breaks a premise, the first being what applyRule() says. Who, with whom, in which
/// chunk: a chunk in which the contributions of two devices overlap counts once for the two, whatever they share there
/// (PremiseFailure::columns lists all of it). A premise on one device counts once for it, one on a whole group once.
struct FailingPairs {
  std::vector<PremiseFailure> pairs;  ///< the first so many as were asked for
  std::int64_t count = 0;             ///< of all
  /// Every pair stands for others alike: of a large group only the first few devices of every kind were looked at.
  bool representatives = false;
};

/// Adds where a group breaks the given premise of a rule, keeping at most `most` pairs altogether. All premises before
/// it hold in the group. O(members² · k²/64) for the premises that compare members with one another.
void addFailingPairs(FailingPairs& all, Collective collective, Premise premise, const MemberStates& members,
                     const GroupNames& names, std::size_t most);

}  // namespace p2
