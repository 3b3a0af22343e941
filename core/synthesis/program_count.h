// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <vector>

#include "synthesis/state_graph.h"

namespace p2::inline synthesis {

/// Programs of at most 1, 2, … `limit` steps over levels of the given sizes, exactly: what StateGraph::countsUpTo()
/// says, without the graph. A state takes some 600 bytes, for its key and its targets, so this goes a level further
/// than StateGraph::build(). Errors: cancelled, more levels than kMostSynthesisLevels, more states than fit about 3 GB.
[[nodiscard]] Result<std::vector<Count>> countPrograms(const std::vector<std::int64_t>& sizes, RuleSet rules, int limit,
                                                       std::stop_token stop = {}, const Goal& goal = kAllReduceGoal);

}  // namespace p2::inline synthesis
