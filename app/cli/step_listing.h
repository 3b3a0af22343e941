// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ostream>

#include "step/step_ranking.h"

namespace p2::cli {

/// Placements under a whole step, the first `most` of them.
void writeSteps(std::ostream& out, const StepRanking& ranking, std::size_t most, bool json);

}  // namespace p2::cli
