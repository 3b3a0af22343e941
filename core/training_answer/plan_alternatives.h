// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "training/planner.h"

namespace p2::inline training_answer {

/// A configuration that differs from a plan in one choice, with the reason that speaks for the plan or against it.
struct PlanAlternative {
  enum class Verdict {
    Runs,
    TooLarge,  ///< for the memory of a device with its reserve; priced as if it fitted
    Refused,   ///< by a rule of the framework; has no time
  };
  std::string key;     ///< "tp", as in --fix
  std::string choice;  ///< "tp 4 instead of 8"
  Verdict verdict = Verdict::Runs;
  PlannedConfiguration planned;
  std::string reason;  ///< "a larger bubble, +2.1 s"; "needs 151 GB, a device has 135 GB to use"; the rule's own words
};

/// The nearest alternatives to a plan: of every choice the fastest that runs and fits, and the fastest that does not
/// fit where it would be faster than the plan or where no other is left. Of degrees, microbatch, ZeRO stage and
/// recomputation also one that a rule refuses, where that is all. Those that run come first, by their steps. Errors: as
/// PlacementPricer, cancelled. O(choices · placements).
[[nodiscard]] Result<std::vector<PlanAlternative>> planAlternatives(const TrainingQuestion& question,
                                                                    const PlannedConfiguration& plan,
                                                                    std::stop_token stop = {});

}  // namespace p2::inline training_answer
