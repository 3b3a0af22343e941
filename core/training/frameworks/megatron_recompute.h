// SPDX-License-Identifier: GPL-3.0-or-later
// Private to core/training: recomputation in Megatron-Core, of single modules or of whole layers.
#pragma once

#include <string>
#include <vector>

#include "training/detail/broken_reason.h"
#include "training/detail/configuration.h"
#include "training/frameworks/launch_lines.h"
#include "workload/generate/model_shape.h"

namespace p2::inline training {

/// The first recomputed module that the model does not have, as a rule states it.
[[nodiscard]] BrokenReason megatronModulesOf(const ModelShape& model, const TrainingConfiguration& configuration);
/// Sets of modules with growing savings, without the ones that save nothing in a model.
[[nodiscard]] std::vector<RecomputedModules> megatronModulesSearched(const ModelShape& model);
/// The flags of a recomputation: its granularity, and its modules or layers.
void addMegatronRecomputation(const TrainingConfiguration& configuration, LaunchLines& lines);

}  // namespace p2::inline training
