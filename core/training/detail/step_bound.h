// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: lower bounds of steps whose layers are priced.
#pragma once

#include "training/detail/priced_layers.h"

namespace p2::inline training {

/// For every layout of the stages and all prices above the given ones: seconds. O(1).
[[nodiscard]] double anyLayoutLowerBound(const CostContext& context, const PricedLayers& layers);

/// For one layout, `chunks` as LaidOutStages::set() has them: the schedule without messages, and what each step costs
/// the host. Seconds, at most StepAssembly::secondsAtLeast(). O(virtual stages).
[[nodiscard]] double layoutLowerBound(const CostContext& context, const PricedLayers& layers,
                                      const StageLayout& chunks);

}  // namespace p2::inline training
