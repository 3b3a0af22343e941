// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training_answer: on which host and device the ranks of a plan start.
#pragma once

#include <string>

#include "placement/rank_places.h"
#include "training/planner.h"

namespace p2::inline training_answer {

struct RankStarts {
  RankPlaces places;
  std::string order;  ///< order of the axes, the last fastest: "pipeline-data-tensor"
};

/// The starts of a plan that needs a rank file, with ranks counted in the framework's default order. Errors: that order
/// has no place for an axis.
[[nodiscard]] Result<RankStarts> rankStarts(const System& system, const PlannedConfiguration& planned);

}  // namespace p2::inline training_answer
