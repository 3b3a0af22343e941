// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: a model and its stages as arguments of Megatron-LM.
#pragma once

#include <string>

#include "training/detail/broken_reason.h"
#include "training/detail/configuration.h"
#include "training/frameworks/launch_lines.h"
#include "workload/generate/model_shape.h"

namespace p2::inline training {

/// Blocks of the model that Megatron's hybrid models lack, as a rule states it.
[[nodiscard]] BrokenReason megatronBlocks(const ModelShape& model, const TrainingConfiguration&);

/// Context parallelism that layers with a window cannot have, as a rule states it.
[[nodiscard]] BrokenReason megatronWindows(const ModelShape& model, const TrainingConfiguration& configuration);
/// Attention within chunks, as a rule states it.
[[nodiscard]] BrokenReason megatronChunks(const ModelShape& model, const TrainingConfiguration& configuration);
/// Parameters in 8 bits without a distributed optimizer, as a rule states it.
[[nodiscard]] BrokenReason megatronParameters(const ModelShape&, const TrainingConfiguration& configuration);

/// The shape of a model, by the names of megatron/training/arguments.py and of TransformerConfig. `sequence`: tokens,
/// the least number of positions.
void addMegatronModel(const ModelShape& model, std::int64_t sequence, LaunchLines& lines);

/// Virtual stages, and embedding and head as layers where the layers alone do not divide; sizes of the ends; or else
/// the layers of every stage.
void addMegatronStages(const ModelShape& model, const TrainingConfiguration& configuration, LaunchLines& lines);

}  // namespace p2::inline training
