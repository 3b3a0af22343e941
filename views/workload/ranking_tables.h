// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "step/break_evens.h"

namespace p2::views {

/// All placements of a ranking as CSV, best first: matrix, seconds, bytes through the busiest link between nodes, the
/// orders that give it, and the seconds of every entry.
[[nodiscard]] std::string rankingCsv(const StepRanking& ranking);
/// The best placements and the ratios of two groups of entries from which they are the best.
[[nodiscard]] std::string breakEvenCsv(const StepRanking& ranking, const BreakEvens& answer);

}  // namespace p2::views
