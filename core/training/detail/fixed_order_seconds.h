// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the seconds of a pipeline whose stages take their passes in FixedOrders.
#pragma once

#include "training/detail/pipeline_board.h"

namespace p2::inline training {

/// The seconds of playPipeline() for GPipe or 1F1B, to the last bit, with messages that take no time. If the step takes
/// longer than `most`, the result is any lower bound above it. O(stages · chunks · microbatches).
[[nodiscard]] double fixedOrderSeconds(ScheduleKind kind, const PipelineWork& work, std::int64_t microbatches,
                                       double most);

}  // namespace p2::inline training
