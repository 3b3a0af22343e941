// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: the work and the waiting of a pipeline's schedule.
#pragma once

#include "training/detail/laid_out_stages.h"
#include "training/step_detail.h"

namespace p2::inline training {

/// Chunks of layers that every stage has in its schedule.
[[nodiscard]] std::int64_t scheduledChunks(const TrainingConfiguration& run);

/// Seconds of a message between stages, which both take part in unless it is overlapped.
[[nodiscard]] double messageSeconds(const CostContext& context);

/// Share by which waiting for one another makes a step longer.
[[nodiscard]] double waitingShare(const CostContext& context);

/// Work of all stages and their chunks, messages included, as playPipeline() takes it. Uses the memory of `work` again.
void setWork(std::vector<std::vector<StageWork>>& work, const CostContext& context, const LaidOutStages& stages);

/// Work of one stage for timelines.
[[nodiscard]] StageDetail stageDetail(const CostContext& context, const LaidOutStages& stages, std::size_t stage);

}  // namespace p2::inline training
