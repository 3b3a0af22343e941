// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/document.h"
#include "training_answer/training_evaluation.h"

namespace p2::cli {

/// Adds `--evaluate`: the own configuration, its ranks or why it cannot run, and the changes that gain most. All
/// arguments must outlive the document.
void addEvaluation(Document& document, const TrainingQuestion& question, const StatedTraining& stated,
                   const TrainingEvaluation& evaluation, const std::string& file);

}  // namespace p2::cli
