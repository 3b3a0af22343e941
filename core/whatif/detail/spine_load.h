// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/whatif: whether a plan uses the network above its nodes.
#pragma once

#include <stop_token>
#include <string>

#include "training/planner.h"

namespace p2::inline whatif {

/// "the spine carries nothing of this plan: every axis that crosses nodes stays on its rail": one sentence without a
/// full stop, where no collective of the planned step takes longer with next to no bandwidth there; empty otherwise.
/// Errors: as PlacementPricer.
[[nodiscard]] Result<std::string> describeIdleSpine(const TrainingQuestion& question,
                                                    const PlannedConfiguration& planned, std::stop_token stop);

}  // namespace p2::inline whatif
