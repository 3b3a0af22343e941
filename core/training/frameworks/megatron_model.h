// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: a model and its stages as arguments of Megatron-LM.
#pragma once

#include <optional>
#include <string>

#include "training/detail/configuration.h"
#include "training/frameworks/launch_lines.h"
#include "workload/generate/model_shape.h"

namespace p2::inline training {

/// Blocks of the model that Megatron's hybrid models lack, as a rule states it.
[[nodiscard]] std::optional<std::string> megatronBlocks(const ModelShape& model, const TrainingConfiguration&);

/// The shape of a model, by the names of megatron/training/arguments.py and of TransformerConfig. `sequence`: tokens,
/// the least number of positions.
void addMegatronModel(const ModelShape& model, std::int64_t sequence, LaunchLines& lines);

/// Virtual stages, and embedding and head as layers where the layers alone do not divide; sizes of the ends; or else
/// the layers of every stage.
void addMegatronStages(const ModelShape& model, const TrainingConfiguration& configuration, LaunchLines& lines);

}  // namespace p2::inline training
