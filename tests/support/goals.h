// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collective/goal.h"

namespace p2::test {

/// kBroadcastGoal with the paper's five collectives, which is not offered.
inline constexpr Goal kPlainBroadcastGoal{"Broadcast without Scatter",
                                          "every device holds the root's data",
                                          kSumAtRoot,
                                          kSumEverywhere,
                                          Collective::Broadcast,
                                          kSumming};

}  // namespace p2::test
