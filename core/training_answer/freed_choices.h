// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "training/planner.h"

namespace p2::inline training_answer {

/// A fixed choice whose release gives plans.
struct FreedChoice {
  std::string released;  ///< "tp=16"; several where no single one is enough: all of them
  std::string left;      ///< the choices that stay fixed, as fixedChoicesFrom() reads them
  double seconds = 0;    ///< best step after the release
};

/// The fixed choices of a question without a plan that give plans when they alone are released, the best plan first.
/// Where none does, all of them together; empty where that does not help either. O(choices) short searches.
/// Errors: cancelled.
[[nodiscard]] Result<std::vector<FreedChoice>> freedChoices(const TrainingQuestion& question,
                                                            std::stop_token stop = {});

}  // namespace p2::inline training_answer
