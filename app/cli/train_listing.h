// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/document.h"
#include "training/planner.h"
#include "training_answer/training_evaluation.h"
#include "training_answer/training_measurements.h"

namespace p2::cli {

/// A user's own configuration, of `--evaluate`.
struct OwnTraining {
  std::string file;
  StatedTraining stated;
  TrainingConfiguration configuration;
  TrainingEvaluation evaluation;
};

/// The answer of `p2 train`. Question, answer, the own configuration and the measurements, which may be null, must
/// outlive it.
[[nodiscard]] Document trainingDocument(const TrainingQuestion& question, const TrainingAnswer& answer,
                                        const std::string& modelName, const std::string& systemName,
                                        const OwnTraining* own = nullptr,
                                        const TrainingMeasurements* measured = nullptr);

}  // namespace p2::cli
