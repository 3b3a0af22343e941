// SPDX-License-Identifier: GPL-3.0-or-later
// Questions to the planner that its tests share.
#pragma once

#include "training/framework_placements.h"
#include "workload/generate/training_recipe.h"
#include "workspace/workspace.h"

namespace p2::test {

/// A bundled training's model on a preset, in sequences of 4,096 tokens. `framework`: its name, or "any".
inline TrainingQuestion questionOf(const char* model, const char* system, std::int64_t batch, const char* framework) {
  TrainingQuestion question;
  question.model = resolved(bundledRecipe(model).value().model);
  question.system = systemFromArgument(system).value();
  question.batch = batch;
  question.sequence = 4096;
  if (std::string_view(framework) == "any") {
    question.frameworks = frameworksOn(AcceleratorPlatform::Cuda, trainingFrameworks());
  } else {
    question.frameworks = {trainingFrameworkFrom(framework).value()};
  }
  return question;
}

inline Result<TrainingAnswer> answerOf(const TrainingQuestion& question, std::stop_token stop = {}) {
  return planTraining(question, frameworkPlacements(question.model, question.system), std::move(stop));
}

inline Result<TrainingAnswer> answerWithRankFiles(const TrainingQuestion& question) {
  const TrainingPlacements placements = trainingPlacements(question.model, question.system);
  return planTraining(question, placements.orders, {}, {}, placements.rankFiles);
}

}  // namespace p2::test
