// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the seconds of a pipeline whose stages take their passes in FixedOrders.
#pragma once

#include "training/detail/pipeline_board.h"

namespace p2::inline training {

/// Seconds of GPipe, or of 1F1B, whose messages take no time: those of playPipeline(), to the last bit, without its
/// passes. A step that takes longer than `most` is left off: the result is then a lower bound above it.
/// O(stages · chunks · microbatches).
[[nodiscard]] double fixedOrderSeconds(ScheduleKind kind, const PipelineWork& work, std::int64_t microbatches,
                                       double most);

}  // namespace p2::inline training
