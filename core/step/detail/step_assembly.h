// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/step.
#pragma once

#include "step/step_ranking.h"

namespace p2::inline step {

/// StepRanking::columns and columnOf.
struct StepColumns {
  std::vector<StepRanking::Column> columns;
  std::vector<std::size_t> columnOf;
};

/// Errors of a question that need no pricing, except its system's: the workload over the question's axes,
/// seconds and shares out of range.
[[nodiscard]] Result<void> checkQuestion(const StepQuestion& question);

/// Assembles a ranking from the prices of its entries on all placements, given in the order of enumeration.
/// O(placements · (entries + log placements)). Errors: cancelled.
[[nodiscard]] Result<std::shared_ptr<const StepRanking>> assembled(StepQuestion question,
                                                                   std::shared_ptr<const Topology> topology,
                                                                   const std::vector<ParallelismMatrix>& matrices,
                                                                   StepColumns columns, const std::stop_token& stop);

}  // namespace p2::inline step
