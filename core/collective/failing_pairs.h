// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "collective/rules.h"

namespace p2::inline collective {

/// All places at which a step breaks a premise; applyRule() returns the first. Each has the devices and the chunk: a
/// chunk in which the contributions of two devices overlap counts once for the pair, however many they share
/// (PremiseFailure::columns lists all). A premise on one device counts once per device, one on a whole group once.
struct FailingPairs {
  std::vector<PremiseFailure> pairs;  ///< the first ones, at most the requested number
  std::int64_t count = 0;             ///< overall
  /// Every pair represents equal ones: in a large group only the first few devices of every kind were checked.
  bool representatives = false;
};

/// Adds where a group breaks the given premise of a rule, keeping at most `most` pairs altogether. All premises before
/// it hold in the group. O(members² · k²/64) for the premises that compare members with one another.
void addFailingPairs(FailingPairs& all, Collective collective, Premise premise, const MemberStates& members,
                     const GroupNames& names, std::size_t most);

}  // namespace p2::inline collective
