// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "training/training_runs.h"

namespace p2::inline training {

/// The recipe of a Megatron-Bridge release for the run's model and accelerator that agrees with most of its degrees;
/// `precision` as the run's row has it. Null where the release has no such recipe. The columns are named in
/// resources/training/recipes.csv, which was read from the releases' own files. O(recipes).
[[nodiscard]] const TrainingRow* recipeOf(const TrainingRun& run, std::string_view precision,
                                          const std::string& release);

}  // namespace p2::inline training
