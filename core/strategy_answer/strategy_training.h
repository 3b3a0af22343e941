// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "strategy_answer/strategy_baselines.h"
#include "training_answer/training_plan_file.h"

namespace p2::inline strategy_answer {

/// A common strategy as a plan of `p2 train`, from which launch flags, rank files and a workload follow.
struct StrategyTraining {
  StrategyBaseline strategy;
  TrainingPlanFile plan;           ///< priced as `p2 train` prices it
  std::vector<std::string> notes;  ///< differences between plan and strategy, a sentence each
};

/// Whether a training can have the question's choices: a model of tokens, Adam, products of 16 or 8 bits, no
/// selective recomputation. The error's position is the option: "--optimizer". `model`: as modelFromArgument().
[[nodiscard]] Result<void> checkTrained(const StrategyInput& input, const std::string& model);

/// Hands over the cheapest strategy that fits and that the framework runs, with the question's batch, microbatches,
/// ZeRO stage, recomputation, precision and placement. `framework`: a name of trainingFrameworks(), or "any" for the
/// first of them that runs it. Errors: checkTrained(), another name, no strategy that a framework runs (with the reason
/// for the cheapest).
[[nodiscard]] Result<StrategyTraining> trainingOf(const StrategyInput& input, const std::string& model,
                                                  std::vector<StrategyBaseline> strategies,
                                                  const std::string& framework);

}  // namespace p2::inline strategy_answer
