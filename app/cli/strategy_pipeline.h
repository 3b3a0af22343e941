// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>

#include "app/cli/strategy_compare.h"
#include "app/cli/strategy_input.h"

namespace p2::cli {

/// p2 strategy --stages N|auto: finds the pipeline and writes it, or prices that of `plan`, which has stages, where
/// there is one.
[[nodiscard]] Result<void> writePipeline(const StrategyRequest& request, const StrategyQuestion& question,
                                         const StrategyPlan* plan, std::ostream& out);

}  // namespace p2::cli
