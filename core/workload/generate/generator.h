// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "workload/generate/training_plan.h"
#include "workload/sources.h"

namespace p2::inline workload {

/// The communication of one training step of a model under a plan, on a device of a middle stage of the pipeline:
/// tensor and sequence parallelism, context, ZeRO, experts, pipeline, vocabulary. Every entry has the formula of its
/// bytes and the factors of its count. Sources: Megatron-LM (mappings.py, layers.py, token_dispatcher.py,
/// schedules.py), arXiv 2104.04473, 2205.05198, 2407.21783, 2412.19437. Model and plan need not be resolved. Errors
/// of checkModel() and checkPlan(); degrees of dense layers and experts without a common refinement; nothing to
/// communicate. `given`: keys of planFields() whose values the question has; they are not among `assumed`.
/// O(entries).
[[nodiscard]] Result<WorkloadSource> generateWorkload(const ModelShape& model, const TrainingPlan& plan,
                                                      std::span<const std::string> given = {});

}  // namespace p2::inline workload
