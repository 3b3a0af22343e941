// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "training/training_runs.h"

namespace p2::inline training {

/// Completes a run by the recipe of its release of Megatron-Bridge: dispatch of experts, CUDA graphs, overlap and
/// recomputed modules. `precision` as the run's row has it. Nothing changes where the release has no recipe for model
/// and accelerator, or the model has no experts. The columns are named in resources/training/recipes.csv, which was
/// read from the releases' own files. O(recipes).
void applyRecipe(std::string_view precision, TrainingRun& run);

}  // namespace p2::inline training
