// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/planner.h"

namespace p2::inline training {

/// The placements that a framework's own orders of ranks give on the model's system, one for every different matrix,
/// each with prices of its communication. Degrees for which no order gives a matrix have none.
[[nodiscard]] PlacementPricer frameworkPlacements(const ModelShape& model, const System& system);

/// Both sorts of placements, with prices that share their traffic.
struct TrainingPlacements {
  PlacementPricer orders;     ///< frameworkPlacements()
  PlacementPricer rankFiles;  ///< all matrices that no order of the framework gives
};
[[nodiscard]] TrainingPlacements trainingPlacements(const ModelShape& model, const System& system);

}  // namespace p2::inline training
