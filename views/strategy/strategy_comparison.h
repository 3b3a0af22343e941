// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "views/strategy/comparison_bars.h"

namespace p2::views {

class StrategyFinder;

/// The best strategy of a finder and its baselines: without its pins, and the choices without a
/// search. Empty before there is an answer.
[[nodiscard]] std::vector<ComparisonBars::Bar> comparisonOf(const StrategyFinder& finder);

/// Bars that there are at most without pins.
[[nodiscard]] std::size_t mostCompared();

}  // namespace p2::views
