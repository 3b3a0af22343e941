// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "explore/gain_parts.h"

namespace p2::views {

/// The result of an exploration in one sentence: the best time, the reference it is compared with (see GainParts), and
/// how the gain splits into placement and program. "The best plan takes 283 ms, 3.67× faster than the default of JAX
/// and PyTorch with one AllReduce (1.04 s): 2.00× from crossing 2 nodes instead of 4, 1.84× from the program: 2.15
/// instead of 4.16 GB through the busiest port of a node." Bytes and latencies are named only where they account for
/// the factor. `alone`: the document also has a workload, so the sentence names the reduced axes. A second sentence
/// says when the intervals of the times leave open which is faster. Empty without placements.
[[nodiscard]] QString findingOf(const Exploration& exploration, const GainParts& parts, bool alone = false);

}  // namespace p2::views
