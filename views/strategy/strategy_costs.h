// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/strategy/strategy_instance.h"

namespace p2::views {

/// "compute 71 % · reduce 22 % · reshard 7 %", without what costs nothing; for cost tables "vertices 80 % · edges 20
/// %". Empty when all is free.
[[nodiscard]] QString splitText(const StrategyInstance& instance, const CostSplit& split);

/// The extra cost of a pinned choice: "+0.8 % over free", "costs nothing".
[[nodiscard]] QString overFreeText(double cost, double free);

}  // namespace p2::views
