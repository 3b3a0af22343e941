// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "training/planner.h"

namespace p2::inline training_answer {

/// The best plan with another value of a choice, with the reason that speaks for it or for the first plan.
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
  bool keepsRest = false;  ///< differs in this choice alone; else all other choices may differ as well
  std::string reason;  ///< "a larger bubble, +2.1 s"; "needs 151 GB, a device has 135 GB to use"; the rule's own words
};

/// Alternatives to a plan: for every other value of a degree, of the microbatch, the ZeRO stage, recomputation, virtual
/// stages, schedule and the like the fastest plan with that value and any other choices. Degrees are looked up in
/// `answer`, the listing of the question under `filter`, where it is whole; other values are searched. Of order of
/// ranks, layers, etp and overlaps the fastest change of that choice alone. Where no value of a choice gives a plan,
/// also the change of that choice alone that does not fit or that a rule refuses, and changes that would be faster if
/// they fitted. Those that run come first, by their steps. Errors: as PlacementPricer, cancelled. O(values) short
/// searches.
[[nodiscard]] Result<std::vector<PlanAlternative>> planAlternatives(const TrainingQuestion& question,
                                                                    const TrainingAnswer& answer,
                                                                    const PlannedConfiguration& plan,
                                                                    const PlanFilter& filter = {},
                                                                    std::stop_token stop = {});

}  // namespace p2::inline training_answer
