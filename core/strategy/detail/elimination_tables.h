// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/strategy.
#pragma once

#include <stop_token>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "strategy/detail/elimination_plan.h"

namespace p2::inline strategy {

/// Cells between one step along an axis of a row-major table and the next.
[[nodiscard]] std::vector<std::size_t> stridesOf(const std::vector<std::size_t>& sizes);

/// Computes the plan's tables and appends them to the network's. Errors: cancelled.
[[nodiscard]] Result<std::vector<CostTable>> eliminationTables(std::vector<CostTable> tables,
                                                               const EliminationPlan& plan, std::stop_token stop,
                                                               const Progress& progress);

}  // namespace p2::inline strategy
