// SPDX-License-Identifier: GPL-3.0-or-later
// The files of resources/training, compiled in.
#pragma once

#include <string_view>

namespace p2::inline training {

[[nodiscard]] std::string_view trainingConstantsFile();
[[nodiscard]] std::string_view trainingAcceleratorsFile();
[[nodiscard]] std::string_view trainingRecipesFile();  ///< recipes.csv
[[nodiscard]] std::string_view trainingStepsFile();    ///< steps.csv
[[nodiscard]] std::string_view unseenRunsFile();       ///< unseen_runs.csv

}  // namespace p2::inline training
