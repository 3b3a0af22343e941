// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "explore/explore.h"

namespace p2::views {

/// What came out, in one sentence: the best, beside what the placement that frameworks use unasked takes with one
/// collective (or, where no matrix says that placement, the best one's own), and what makes the difference. "Best
/// 2.83 s; the default of JAX and PyTorch takes 10.4 s with one AllReduce, 3.67× slower, because its reduction crosses
/// nodes 16-fold, that of the best 4-fold." `alone` says that it is of one reduction of several: "Best for data alone
/// 2.83 s; …". A second sentence says where the intervals of the times leave open which is faster. Empty without
/// placements.
[[nodiscard]] QString findingOf(const Exploration& exploration, bool alone = false);

}  // namespace p2::views
