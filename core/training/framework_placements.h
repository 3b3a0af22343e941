// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/planner.h"

namespace p2::inline training {

/// The placements that a framework's own orders of ranks give on the model's system, one for every different matrix,
/// each with prices of its communication. Degrees for which no order gives a matrix have none.
[[nodiscard]] PlacementPricer frameworkPlacements(const ModelShape& model, const System& system);

}  // namespace p2::inline training
